"""Reading C: loop nests between `#pragma scop` and `#pragma endscop`, extracted with libpet.

Nothing is imported here: who reads no C needs neither libpet nor what talks to it.
"""
