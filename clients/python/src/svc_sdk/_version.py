"""The version of this package, sent with each heartbeat. A test compares it with pyproject.toml."""

SDK_VERSION = "0.1.0"
