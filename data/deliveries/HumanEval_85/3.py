
def add(lst):
    """Given a non-empty list of integers lst. add the even elements that are at odd indices..
    """
    i = 1
    new_lst = []
    while i < len(lst):
        if i % 2 == 0:
            new_lst.append(lst[i])
        i += 1
    return new_lst

