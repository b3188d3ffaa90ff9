"""Assignments of C as equations of a program: one array for what each statement writes."""
