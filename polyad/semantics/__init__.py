"""What a program means (`evaluate`) and whether it means anything (`verify`)."""
