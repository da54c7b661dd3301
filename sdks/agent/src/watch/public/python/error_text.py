"""Writes errors as Python prints them, without running any of the program's code."""

_LENGTH = 10_000
_ENTRIES = 8
_plain = (str, int, float, bool, bytes, type(None))
_mro_of = type.__dict__["__mro__"].__get__
_name_of = type.__dict__["__name__"].__get__
_dict_of = type.__dict__["__dict__"].__get__


def error_text(error):
    """Return the name of the error's class, and the first line of its message, as far as that can be read."""
    message = _message(error).strip().split("\n", 1)[0]
    name = _name_of(type(error))
    return f"{name}: {message}" if message else name


def _message(error):
    arguments = BaseException.__dict__["args"].__get__(error)
    own = arguments[0] if arguments and type(arguments[0]) is str else ""
    # The fields of a syntax error may be anything.
    if _is_any(SyntaxError, _mro_of(type(error))) or not all(_is_plain(one) for one in (*arguments, *_fields(error))):
        return own[:_LENGTH]
    text_of = next(fields["__str__"] for fields in map(_dict_of, _mro_of(type(error))) if "__str__" in fields)
    # One that Python has built in runs none of the program's code on plain values.
    if type(text_of) is not type(BaseException.__dict__["__str__"]):
        return own
    try:
        return text_of(error)
    except Exception:  # noqa: BLE001 - an integer with too many digits, for example
        return own


def _fields(error):
    """Return what the message of an error of the operating system is made of."""
    if not _is_any(OSError, _mro_of(type(error))):
        return ()
    return tuple(OSError.__dict__[name].__get__(error) for name in ("errno", "strerror", "filename", "filename2"))


def _is_plain(value):
    if type(value) is tuple:
        return len(value) <= _ENTRIES and all(_is_short(one) for one in value)
    return _is_short(value)


def _is_short(value):
    is_text = _is_any(type(value), (str, bytes))
    return _is_any(type(value), _plain) and (not is_text or len(value) <= _LENGTH)


def _is_any(kind, kinds):
    """Compare classes without the ``==`` that a metaclass may have."""
    return any(kind is one for one in kinds)
