"""The border between the client and the program."""

from whence._core.guard import guarded


def fails():
    return fails_within()


def fails_within():
    raise ValueError


def test_keeps_an_error_where_the_stack_has_no_room():
    escaped = []

    def fill():
        try:
            fill()
        except RecursionError:
            try:
                guarded(fails)
            except RecursionError as error:
                escaped.append(error)
            raise

    try:
        fill()
    except RecursionError:
        pass
    # Where there is none even for the guard, its call fails.
    assert [error.__traceback__.tb_next for error in escaped] == [None] * len(escaped)
