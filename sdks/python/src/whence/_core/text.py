from __future__ import annotations


def trim(text: str, characters: int) -> str:
    """Return a text of at most ``characters`` characters; a cut one says how much is missing."""
    if len(text) <= characters:
        return text
    for kept in (characters - 32, 0):
        if kept < 0:
            continue
        cut = f"{text[:kept]}… [trimmed {len(text) - kept} characters]"
        if len(cut) <= characters:
            return cut
    return text[:characters]
