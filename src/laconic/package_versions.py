"""Versions of installed packages: what results may depend on."""

from __future__ import annotations


def installed_version(package: str) -> str | None:
    """The version of a package, or None where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # here: it takes its time, and few ask

    try:
        return version(package)
    except PackageNotFoundError:
        return None
