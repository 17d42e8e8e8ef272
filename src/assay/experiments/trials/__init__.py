"""Storey 6, workshops, inside `experiments`: the gate on stored candidates, beside what selects otherwise."""
