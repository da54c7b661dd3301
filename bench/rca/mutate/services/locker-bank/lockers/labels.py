from lockers.config import LABEL_MAX_KB


def label(parcel, text):
    size = len(text.encode())
    if size > LABEL_MAX_KB * 1024:
        raise ValueError(f"label of {parcel} has {size} bytes, which is too many")
    return f"{parcel}: {text}"
