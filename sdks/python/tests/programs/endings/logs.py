"""Programs that warn and log."""

import client  # noqa: F401, I001 -- first, as programs do it
import sys


def warns():
    import warnings

    warnings.warn("old", DeprecationWarning)
    warnings.warn("odd", UserWarning)


def logs_without_setup():  # arrives: error 1
    import logging

    logging.warning("warning %s", 1)
    logging.error("error %s", 1)
    logging.info("unseen")


def logs_with_basic_config():  # arrives: careful
    import logging

    logging.basicConfig(format="%(levelname)s %(funcName)s %(lineno)d %(message)s", level="INFO")
    logging.getLogger("shop").info("hello %s", "ada")
    logging.getLogger("shop").critical("careful")


def logs_badly():
    import logging

    logging.getLogger("shop").error("%d items", "many")


def last_resort():
    import logging

    logging.getLogger("shop").warning("last resort")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
