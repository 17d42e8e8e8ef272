
def add(lst):
    """Given a non-empty list of integers lst. add the even elements that are at odd indices..
    """
    lst.sort()
    lst = [x for x in lst if x%2==1]
    return lst
