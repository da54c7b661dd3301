"""The only reader of the environment."""

from __future__ import annotations

import os

from whence._core import limits

#: Variables that name the running version, the most specific first, as in the Node client.
RELEASE_VARIABLES = (
    *("WHENCE_RELEASE", "SENTRY_RELEASE", "DD_VERSION", "HEROKU_BUILD_COMMIT"),
    *("HEROKU_SLUG_COMMIT", "VERCEL_GIT_COMMIT_SHA", "RENDER_GIT_COMMIT"),
    *("RAILWAY_GIT_COMMIT_SHA", "KOYEB_GIT_SHA", "ZEABUR_GIT_COMMIT_SHA", "CF_PAGES_COMMIT_SHA"),
    *("COMMIT_REF", "AWS_COMMIT_ID", "K_REVISION", "GAE_VERSION", "GIT_COMMIT", "GIT_SHA"),
    *("COMMIT_SHA", "SOURCE_VERSION", "SOURCE_COMMIT", "GITHUB_SHA", "CI_COMMIT_SHA"),
    *("CIRCLE_SHA1", "BUILDKITE_COMMIT", "BITBUCKET_COMMIT", "BUILD_SOURCEVERSION"),
    *("CODEBUILD_RESOLVED_SOURCE_VERSION", "DRONE_COMMIT_SHA", "SEMAPHORE_GIT_SHA"),
    "TRAVIS_COMMIT",
)

#: What a server that runs a program for each request (RFC 3875) says about the request.
_REQUEST_VARIABLES = frozenset(
    (
        *("GATEWAY_INTERFACE", "REQUEST_METHOD", "SCRIPT_NAME", "PATH_INFO", "CONTENT_TYPE"),
        *("CONTENT_LENGTH", "SERVER_NAME", "SERVER_PORT", "SERVER_PROTOCOL", "SERVER_SOFTWARE"),
        *("REMOTE_ADDR", "REMOTE_HOST"),
    )
)
#: Taken before the program may replace it, or remove a secret that copies of it still have.
_environ = os.environ
_at_start = dict(_environ)

_SWITCHES = {
    **dict.fromkeys(("", "0", "false", "no", "off"), False),
    **dict.fromkeys(("1", "true", "yes", "on"), True),
}


def variable(name: str) -> str | None:
    """Return a variable without surrounding space; None when it is unset or empty."""
    return (os.environ.get(name) or "").strip() or None


def switch_of(text: str) -> bool | None:
    """Return the boolean that a text stands for, ignoring case; None for any other text."""
    return _SWITCHES.get(text.strip().lower())


def set_variables() -> list[str] | None:
    """Return the names of the variables that are set.

    None when an event can't carry all of them: with some, a missing name would say nothing.
    """
    names = list(os.environ)
    fits = len(names) <= limits.ENVIRONMENT_VARIABLES_MAX and all(
        len(name) <= limits.ENVIRONMENT_VARIABLE_LENGTH_MAX for name in names
    )
    return names if fits else None


def is_variable(name: str, value: str) -> bool:
    """Whether this is a variable of the environment with its value, except an empty one."""
    if value == "" or name in _REQUEST_VARIABLES or not name.isascii():
        return False
    return value in (_at_start.get(name), _environ.get(name))


def usual_release() -> str | None:
    """Return the release that the environment names."""
    for name in RELEASE_VARIABLES:
        found = variable(name)
        if found is not None:
            return found
    return None


def doctor_address() -> str | None:
    """Return the address of the doctor that runs this program, to which all events go instead."""
    return variable("WHENCE_DOCTOR")


def is_run() -> bool:
    """Whether ``python -m whence run`` started this program or one of its parents."""
    return variable("WHENCE_RUN") is not None


def with_preload(folder: str, **added: str) -> dict[str, str]:
    """Return the environment of a program that imports ``sitecustomize`` from this folder."""
    path = os.environ.get("PYTHONPATH")
    paths = [folder, *([path] if path else [])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **added}


def has_color() -> bool:
    """Whether the terminal shows colors (https://no-color.org)."""
    return os.isatty(1) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
