

def get_positive(l: list):
    """Return only positive numbers in the list.
    """
    return [num for num in l if num >= 0]
