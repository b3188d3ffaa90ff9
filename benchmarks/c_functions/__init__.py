"""Gradients of C functions beside the functions themselves, and beside Enzyme's gradients of them."""
