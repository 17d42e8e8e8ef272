
def add(lst):
    """Given a non-empty list of integers lst. add the even elements that are at odd indices..
    """
    even = []
    odd = []
    for index, element in enumerate(lst):
        if element % 2 == 0:
            even.append(element)
        else:
            odd.append(element)
    return even + odd

