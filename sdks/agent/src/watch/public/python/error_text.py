"""Writes errors as Python prints them, without running any of the program's code."""

_LENGTH = 10_000
_ENTRIES = 8
_INTEGER_BITS = 256
_plain = (str, float, bool, bytes, type(None))
_mro_of = type.__dict__["__mro__"].__get__
_name_of = type.__dict__["__name__"].__get__
_dict_of = type.__dict__["__dict__"].__get__


def error_text(error):
    """Return the name of the error's class, and the first line of its message, as far as that can be read."""
    message = _message(error).strip().split("\n", 1)[0]
    name = class_name(type(error))
    return f"{name}: {message}" if message else name


def class_name(kind):
    """Return the name of a class without asking its metaclass."""
    return str.__str__(_name_of(kind))


def _message(error):
    arguments = BaseException.__dict__["args"].__get__(error)
    own = arguments[0][:_LENGTH] if arguments and type(arguments[0]) is str else ""
    printing = next(kind for kind in _mro_of(type(error)) if "__str__" in _dict_of(kind))
    printed = _printed(error, printing, arguments)
    if printed is None or len(printed) > _ENTRIES or not all(_is_plain(one) for one in printed):
        return own
    try:
        return printing.__str__(error)
    except Exception:  # noqa: BLE001 - Python's own may fail, too
        return own


def _printed(error, printing, arguments):
    """Return the values that the message is made of; None unless it is one of Python's own that runs no other code."""
    if _is_any(printing, (BaseException, KeyError, ImportError)):
        return arguments
    if printing is OSError:
        return (*arguments, *_fields(error, OSError, ("errno", "strerror", "filename", "filename2")))
    for kind, coded in ((UnicodeDecodeError, bytes), (UnicodeEncodeError, str)):
        if printing is kind and type(kind.__dict__["object"].__get__(error)) is coded:
            return _fields(error, kind, ("encoding", "reason"))
    return None


def _fields(error, kind, names):
    return tuple(kind.__dict__[name].__get__(error) for name in names)


def _is_plain(value):
    if type(value) is tuple:
        return len(value) <= _ENTRIES and all(_is_short(one) for one in value)
    return _is_short(value)


def _is_short(value):
    kind = type(value)
    if kind is int:
        return value.bit_length() <= _INTEGER_BITS
    return _is_any(kind, _plain) and (not _is_any(kind, (str, bytes)) or len(value) <= _LENGTH)


def _is_any(kind, kinds):
    """Compare classes without the ``==`` that a metaclass may have."""
    return any(kind is one for one in kinds)
