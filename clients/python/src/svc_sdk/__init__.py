"""The Python client of Svc."""

from ._version import SDK_VERSION

__all__ = ["SDK_VERSION"]
