"""The C that launches kernels: for programs of C and C++, without Python and without NVIDIA's toolkit."""
