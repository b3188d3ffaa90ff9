"""Schedules that were measured: what is known of them, and the files that they are kept in."""
