"""The meaning of a program (`evaluate`), and whether it means anything (`verify`)."""
