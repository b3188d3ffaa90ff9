"""Scheduling: from equations and their dependences to loops, and the schedules that users write and change.

Nothing is imported here: `import polyad` needs what a target says of scheduling, and nothing that schedules.
"""
