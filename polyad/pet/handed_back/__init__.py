"""C again: functions with the parameters of those that were read, around kernels, and a page about them.

Nothing is imported here: who exports no C program needs none of it.
"""
