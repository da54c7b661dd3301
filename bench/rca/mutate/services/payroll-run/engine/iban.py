LENGTHS = {"NO": 15, "DE": 22}


def check_iban(text):
    iban = text.replace(" ", "").upper()
    if len(iban) != LENGTHS[iban[:2]]:
        raise ValueError(f"{iban} has {len(iban)} characters")
    moved = iban[4:] + iban[:4]
    number = int("".join(str(int(letter, 36)) for letter in moved))
    if not 1 <= number % 97 <= 96:
        raise ValueError(f"{iban} has a wrong check digit")
    return iban


def grouped(iban):
    return " ".join(iban[start:start + 4] for start in range(0, len(iban), 4))
