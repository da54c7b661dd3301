"""Starts the client that a program of this folder runs with: whence, sentry-sdk, or none."""

import os

if os.environ.get("WHENCE_API_KEY"):
    import whence

    whence.init()
elif os.environ.get("SENTRY_DSN"):
    import sentry_sdk

    sentry_sdk.init()
