"""Create engines by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from laconic.errors import LaconicError
from laconic.known_names import unknown_name

if TYPE_CHECKING:
    from laconic.bulk.job import Engine

ENGINES: Final = ("local", "ray")


def make_engine(name: str = "local", *, workers: int | None = None, address: str | None = None) -> Engine:
    """The engine with that name; `address` is the address of a Ray cluster."""
    if name == "ray":
        from laconic.bulk.ray import RayEngine

        return RayEngine(workers, address)
    if name != "local":
        raise unknown_name("engine", name, ENGINES)
    if address is not None:
        raise LaconicError(
            f"the address {address} is that of a Ray cluster: add engine='ray', or leave it out", engine="ray"
        )
    from laconic.bulk.local import LocalEngine

    return LocalEngine(workers)
