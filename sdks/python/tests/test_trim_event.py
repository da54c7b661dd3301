"""What an event gives up when it is too large."""

import json

from whence._core.limits import ENVIRONMENT_VARIABLE_LENGTH_MAX, ENVIRONMENT_VARIABLES_MAX
from whence._core.trim_event import encode


def test_keeps_all_names_of_variables_or_none_and_says_so():
    names = [
        str(index).ljust(ENVIRONMENT_VARIABLE_LENGTH_MAX, "V")
        for index in range(ENVIRONMENT_VARIABLES_MAX)
    ]
    frame = {"file": "a.py", "vars": {"a": 1}, "context": {"start_line": 1, "lines": ["a"]}}
    event = {
        "message": "x",
        "exceptions": [{"type": "E", "message": "", "stack": "", "frames": [frame]}],
        "environment_variables": names,
        "attributes": {"long": "x" * 600_000},
    }
    assert json.loads(encode(event))["environment_variables"] == names
    bare = json.loads(encode(event, 4_000))
    assert "environment_variables" not in bare
    trimmed = bare["attributes"]["whence.trimmed"]
    assert trimmed[:3] == ["variables", "source", "frames"]
    assert "environment variables" in trimmed
