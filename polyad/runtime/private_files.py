"""Files and folders that nobody but this user can have written.

Compiled code is loaded from them, so whoever may write there runs code in this user's name. Property: what is read,
and what is loaded, is a plain file of this user, which only this user may write, in folders of which the same is true.
It is asked of the descriptor that is then read, never of a path that may lead elsewhere a moment later, and names are
looked up below the descriptor of the folder they are in.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

__all__ = ["TEMPORARY", "opened_folder", "publish", "read_private", "refuse_foreign"]

TEMPORARY = ".tmp-"
"""What the names of files begin with that are not complete yet."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY
# O_NONBLOCK: opening a FIFO must not wait for somebody who writes to it.
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


@contextlib.contextmanager
def opened_folder(root: Path, *below: str, create: bool = False) -> Iterator[int]:
    """A descriptor of a folder, `root` or one below it.

    Args:
        root: where to begin. It may be a symbolic link: what counts is where that leads.
        below: names of folders, each in the one before; these may not be links.
        create: make what is missing, for this user alone whatever the umask.

    Raises:
        OSError: one of them is missing, belongs to somebody else, or may be written by others.
    """
    if create:
        _make(root)
    descriptor = _checked(os.open(root, _FOLDER), root)
    try:
        for name in below:
            made = create and _make_in(descriptor, name)
            inner = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
            if made:
                os.fchmod(descriptor, 0o700)
            refuse_foreign(os.fstat(descriptor), root.joinpath(*below))
        yield descriptor
    finally:
        os.close(descriptor)


def refuse_foreign(status: os.stat_result, path: object) -> None:
    """Check that nobody else can have written a file or folder.

    Raises:
        OSError: it belongs to another user, or its mode lets group or others write.
    """
    if status.st_uid != os.geteuid():
        raise OSError(errno.EPERM, f"it belongs to another user (uid {status.st_uid})", str(path))
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise OSError(errno.EPERM, f"others may write to it (mode {stat.S_IMODE(status.st_mode):04o})", str(path))


def read_private(folder: int, name: str) -> bytes:
    """The bytes of a file.

    Args:
        folder: a descriptor from `opened_folder`.
        name: of the file in it.

    Raises:
        OSError: it is missing, no plain file (a link, a FIFO, a device), somebody else's, or may be written by others.
    """
    descriptor = os.open(name, _READ, dir_fd=folder)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EPERM, "it is not a plain file", name)
        refuse_foreign(status, name)
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(descriptor)


def publish(folder: int, name: str, data: bytes) -> None:
    """Write a file of mode 0600 so that others see either nothing of it or all of it.

    Raises:
        OSError: the disk is full, say; then there is nothing new in the folder.
    """
    temporary = TEMPORARY + os.urandom(8).hex()
    descriptor = os.open(temporary, _WRITE, 0o600, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, 0o600)
            file.write(data)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


def _checked(descriptor: int, path: Path) -> int:
    """The descriptor of a folder that nobody else can have written; closed where that is not so."""
    try:
        refuse_foreign(os.fstat(descriptor), path)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _make(folder: Path) -> None:
    """Make a folder and its missing parents, each of mode 0700: `Path.mkdir` gives its mode to the last one only."""
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        if folder.parent == folder:
            raise
        _make(folder.parent)
        with contextlib.suppress(FileExistsError):  # another process was quicker
            os.mkdir(folder, 0o700)


def _make_in(folder: int, name: str) -> bool:
    """Make a folder inside of another one; False where it is there already."""
    try:
        os.mkdir(name, 0o700, dir_fd=folder)
    except FileExistsError:
        return False
    return True
