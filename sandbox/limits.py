"""Every limit under which a bot runs, in one value."""

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one sandbox and of each game in it. Hashable: part of a pool's key."""

    memory_mb: int = 256
    """Memory of the bot's process in MiB, over what the interpreter holds before the bot is loaded."""

    address_mb: int | None = None
    """Address space the bot may add, in MiB; None is `memory_mb`, so that Python sees a MemoryError before the kernel
    has to kill."""

    keeper_mb: int = 96
    """MiB granted to the container beyond `memory_mb`: keeper, interpreter, NumPy, the kernel's own tables."""

    cpu_slot: int | None = None
    """Number of the CPU to which the sandbox is pinned; None leaves it to the kernel (still one CPU's worth)."""

    pids: int = 16
    """Processes and threads in the container, the keeper's included. The bot itself may make none."""

    nofile: int = 64
    """Open descriptors of the bot's process."""

    output_bytes: int = MIB
    """Bytes of standard output and error together in a game; one more is the failure `output`."""

    log_bytes: int = 16 * 1024
    """How much of the output is kept for the owner: this much from the start and this much from the end."""

    line_bytes: int = 8 * 1024
    """Longest answer in bytes, without its newline; a longer one is the failure `protocol`."""

    start_seconds: float = 20.0
    """How long a container and its keeper may take to come up."""

    reply_seconds: float = 10.0
    """How long the keeper may take to carry out an order before the sandbox counts as broken."""

    grace_seconds: float = 0.5
    """How long a bot that closed its connection may take to end by itself, so that its exit status can be told."""

    def __post_init__(self) -> None:
        for name in ("memory_mb", "keeper_mb", "pids", "nofile", "output_bytes", "log_bytes", "line_bytes"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} is {getattr(self, name)}; give a number above zero.")
        if self.address_mb is not None and self.address_mb <= 0:
            raise ValueError(f"address_mb is {self.address_mb}; give a number above zero, or None for memory_mb.")
        if self.nofile < 8:
            raise ValueError(f"nofile is {self.nofile}; Python needs at least 8 descriptors to import a module.")

    @property
    def address_bytes(self) -> int:
        """Address space that the bot may add, in bytes."""
        return (self.memory_mb if self.address_mb is None else self.address_mb) * MIB

    @property
    def container_bytes(self) -> int:
        """Memory of the whole container, in bytes."""
        return (self.memory_mb + self.keeper_mb) * MIB
