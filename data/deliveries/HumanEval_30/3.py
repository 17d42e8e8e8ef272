

def get_positive(l: list):
    """Return only positive numbers in the list.
    """
    return [x for x in l if x > 0]

