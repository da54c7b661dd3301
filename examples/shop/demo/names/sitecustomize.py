"""What names.ts is for Node: Python imports this before a program whose PYTHONPATH has this folder."""

import os
import socket

names = os.environ.get("SHOP_NAMES", "").split(",")
ask = socket.getaddrinfo


def getaddrinfo(host, *args, **kwargs):
    return ask("127.0.0.1" if host in names else host, *args, **kwargs)


socket.getaddrinfo = getaddrinfo
