"""Choices: which loops meet, and how they run (fusion, sinking, marks)."""
