"""Scheduling: from equations and their dependences to loops, and the schedules that users write and change."""

from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule

__all__ = ["Schedule", "default_schedule"]
