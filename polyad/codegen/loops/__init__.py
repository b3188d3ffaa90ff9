"""The loop IR: its nodes, how it is made from a schedule, and what is read off it."""
