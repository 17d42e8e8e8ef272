

def get_positive(l: list):
    """Return only positive numbers in the list.
    """
    return [i for i in l if i >= 0]
