import re

LEVEL = re.compile(r"^(?:debug|info|warn|error)$")
FIELD = re.compile(r"^[a-z]+(?:\.[a-z]+)*=")
HOST = re.compile(r"^[a-z\d]+(?:-[a-z\d]+)*$")
