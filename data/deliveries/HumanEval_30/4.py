

def get_positive(l: list):
    """Return only positive numbers in the list.
    """
    positive = []
    for num in l:
        if num > 0:
            positive.append(num)
    return positive

