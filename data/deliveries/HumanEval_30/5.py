

def get_positive(l: list):
    """Return only positive numbers in the list.
    """
    new_l = []
    for item in l:
        if item >= 0:
            new_l.append(item)
    return new_l
