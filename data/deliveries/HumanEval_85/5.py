
def add(lst):
    """Given a non-empty list of integers lst. add the even elements that are at odd indices..
    """
    lst = [x for x in lst if x % 2 == 0 and x!= 0]
    for i in range(1, len(lst), 2):
        lst.insert(i, lst[i - 1] + lst[i])
    return lst

