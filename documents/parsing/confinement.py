"""What the parser's process may not do whatever a file makes of it: reach the network, or files other than its input.

Two mechanisms of Linux that need no privileges, hold for every process started from here, and cannot be taken back:

- Landlock (Linux 5.13): files outside the named folders cannot be opened, signals to other processes are not sent.
- A seccomp filter (amd64 and arm64): no sockets, no look into other processes.

Neither has a binding in the standard library; the structures below are those of `linux/landlock.h`,
`linux/seccomp.h` and `linux/bpf_common.h`.
"""

import ctypes
import ctypes.util
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2
_SECCOMP_RET_ALLOW = 0x7FFF0000
_SECCOMP_RET_ERRNO = 0x00050000

# Classic BPF: load a word of seccomp_data, jump when (not) equal, return.
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_OFFSET_CALL, _OFFSET_ARCHITECTURE, _OFFSET_FIRST_ARGUMENT = 0, 4, 16
_X32 = 0x40000000  # amd64 numbers from here on are another way to make the same calls
_AF_UNIX = 1

# By machine: its audit architecture, `socket`, and the calls that would be a way around.
# ptrace, process_vm_readv, process_vm_writev; io_uring_setup (425), pidfd_getfd (438) and pidfd_send_signal (424).
_MACHINES = {
    "x86_64": (0xC000003E, 41, (101, 310, 311, 424, 425, 438)),
    "aarch64": (0xC00000B7, 198, (117, 270, 271, 424, 425, 438)),
}

_LANDLOCK_CREATE_RULESET, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 444, 445, 446
_LANDLOCK_CREATE_RULESET_VERSION = 1
_LANDLOCK_RULE_PATH_BENEATH = 1
_EXECUTE, _WRITE, _READ, _LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE = 1 << 14  # since the third version
_ALL_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
_FILE_ONLY = _EXECUTE | _WRITE | _READ | _TRUNCATE  # what a rule on a file, not a folder, may name
_NO_ABSTRACT_SOCKETS_OR_SIGNALS = 0b11  # scopes of the sixth version

# What an interpreter, its libraries and fonts are read from. No folder of ours, no account, no secret is among it.
_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime", "/etc/libreoffice")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")


def confine(*, readable: Iterable[Path], writable: Iterable[Path], unix_sockets: bool = False) -> frozenset[str]:
    """Shut this process in, and every process it starts, for good.

    `readable` and `writable` are files and folders beside the system's libraries and this interpreter's.
    `unix_sockets` leaves sockets of this machine open, for programs that talk to themselves through one.
    Returns: what is in force, of "files" and "network"; less where the kernel does not know how.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:  # both ask for it: no program gains rights from here on
        return frozenset()
    in_force = set()
    if _restrict_files(libc, readable, writable):
        in_force.add("files")
    if _restrict_calls(libc, unix_sockets=unix_sockets):
        in_force.add("network")
    return frozenset(in_force)


def landlock_version() -> int:
    """The version of Landlock that this kernel speaks; 0 without."""
    libc = ctypes.CDLL(None, use_errno=True)
    if not sys.platform.startswith("linux"):
        return 0
    return max(
        0, int(libc.syscall(_LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), _LANDLOCK_CREATE_RULESET_VERSION))
    )


def is_possible() -> bool:
    """Whether this machine can shut the parser in."""
    return landlock_version() > 0 and platform.machine() in _MACHINES


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_files", ctypes.c_uint64),
        ("handled_network", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def _restrict_files(libc: ctypes.CDLL, readable: Iterable[Path], writable: Iterable[Path]) -> bool:
    version = landlock_version()
    if version == 0:
        return False
    handled = _ALL_FILE_RIGHTS[min(version, 3)]
    scoped = _NO_ABSTRACT_SOCKETS_OR_SIGNALS if version >= 6 else 0
    rules = _Ruleset(handled, 0, scoped)
    # Kernels refuse a structure longer than the one they know unless the rest is zero.
    size = ctypes.c_size_t(24 if scoped else 8)
    ruleset = libc.syscall(_LANDLOCK_CREATE_RULESET, ctypes.byref(rules), size, 0)
    if ruleset < 0:
        return False
    try:
        look = _EXECUTE | _READ | _LIST
        interpreter = {
            sys.prefix,
            sys.exec_prefix,
            sys.base_prefix,
            sys.base_exec_prefix,
            os.path.realpath(sys.executable),
        }
        for path in {Path(path).resolve() for path in map(str, (*_SYSTEM, *interpreter, *readable))}:
            _allow(libc, ruleset, path, look & handled)
        for path in {Path(path).resolve() for path in map(str, (*_DEVICES, *writable))}:
            _allow(libc, ruleset, path, handled & ~_EXECUTE)
        return bool(libc.syscall(_LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: Path, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        rule = _PathBeneath(rights if path.is_dir() else rights & _FILE_ONLY, handle)
        if libc.syscall(_LANDLOCK_ADD_RULE, ruleset, _LANDLOCK_RULE_PATH_BENEATH, ctypes.byref(rule), 0) != 0:
            raise OSError(ctypes.get_errno(), f"landlock rule on {path}")
    finally:
        os.close(handle)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _restrict_calls(libc: ctypes.CDLL, *, unix_sockets: bool) -> bool:
    if platform.machine() not in _MACHINES or not sys.platform.startswith("linux"):
        return False
    filter_ = _socket_filter(platform.machine(), unix_sockets=unix_sockets)
    program = _Program(len(filter_) // 8, filter_)
    return bool(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) == 0)


def _socket_filter(machine: str, *, unix_sockets: bool) -> bytes:
    """Instructions that answer EACCES to calls that are not for a parser, and to all of another architecture."""
    architecture, socket_call, forbidden = _MACHINES[machine]
    last = 6 + len(forbidden) + 2  # the refusal; the permission stands before it
    rows: list[tuple[int, int, int, int]] = [
        (_LOAD, 0, 0, _OFFSET_ARCHITECTURE),
        (_JUMP_EQUAL, 0, last - 2, architecture),
        (_LOAD, 0, 0, _OFFSET_CALL),
        (_JUMP_AT_LEAST, last - 4, 0, _X32),
        *((_JUMP_EQUAL, last - 5 - place, 0, call) for place, call in enumerate(forbidden)),
    ]
    rows.append((_JUMP_EQUAL, 0, 2, socket_call))
    rows.append((_LOAD, 0, 0, _OFFSET_FIRST_ARGUMENT))
    rows.append((_JUMP_EQUAL, 0, 1, _AF_UNIX if unix_sockets else 0xFFFFFFFF))
    rows.append((_RETURN, 0, 0, _SECCOMP_RET_ALLOW))
    rows.append((_RETURN, 0, 0, _SECCOMP_RET_ERRNO | errno.EACCES))
    assert len(rows) == last + 1
    return b"".join(struct.pack("=HBBI", *row) for row in rows)
