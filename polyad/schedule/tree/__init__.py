"""Schedule trees as values, their marks, their text and their drawing."""
