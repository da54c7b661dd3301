from letters.settings import settings


def subject(text):
    if len(text) > settings.subject_max:
        raise ValueError(f"subject has {len(text)} characters, allowed are {settings.subject_max}")
    return text
