from pathlib import Path


def read(path):
    values = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, value = line.partition("=")
            values[name] = value
    return values


def build(values):
    return {
        "base_url": values["BASE_URL"],
        "code_length": int(values["CODE_LENGTH"]),
        "rate_limit": int(values["RATE_LIMIT"]),
        "rate_window": float(values.get("RATE_WINDOW_SECONDS", "60")),
        "blocked": set(values["BLOCKED_HOSTS"].split(",")),
    }


settings = build(read(Path(__file__).parent / "shortener.env"))
