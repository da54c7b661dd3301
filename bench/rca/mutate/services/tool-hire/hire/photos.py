from hire.rules import photo_size_limit_kb


def attach(tool, data):
    if len(data) > photo_size_limit_kb * 1024:
        raise OverflowError(f"photo of {tool} is {len(data)} bytes long, too long")
    return len(data)
