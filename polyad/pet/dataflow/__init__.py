"""Who wrote what is read in a loop nest, and which of its assignments make sums."""
