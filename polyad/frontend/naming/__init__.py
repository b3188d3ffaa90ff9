"""Names of tensors and outputs: what users call them."""
