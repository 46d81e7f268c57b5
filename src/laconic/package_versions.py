"""Versions of installed packages that results may depend on."""

from __future__ import annotations


def installed_version(package: str) -> str | None:
    """The version of a package, or None where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # imported here because it is slow and rarely needed

    try:
        return version(package)
    except PackageNotFoundError:
        return None
