"""The price of a schedule: an estimate of its time from counts and the numbers of a machine (decision 82)."""
