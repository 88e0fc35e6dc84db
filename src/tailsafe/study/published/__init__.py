"""What the program behind the paper's tables does; the method itself is not here.

Each departure from the text is a function of its own with a sentence that says what it does
differently. Nothing here is used by the methods, and no method has a flag for it.
"""
