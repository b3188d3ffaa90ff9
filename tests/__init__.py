"""The tests of polyad. The folders mirror those of `polyad/`; `docs/` and `project/` check the repository itself."""
