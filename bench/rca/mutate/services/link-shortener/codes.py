import zlib

ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def encode(number, length):
    digits = []
    while number > 0:
        number, rest = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[rest])
    text = "".join(reversed(digits)).rjust(length, ALPHABET[0])
    return text[-length:]


def decode(code):
    number = 0
    for letter in code:
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    return number


def code_for(url, length):
    number = zlib.crc32(url.encode("utf-8"))
    code = encode(number, length)
    if decode(code) != number % len(ALPHABET) ** length:
        raise ValueError("%r does not decode to %d" % (code, number))
    return code
