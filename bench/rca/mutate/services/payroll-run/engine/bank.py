from .iban import grouped


def batch(month, payments):
    lines = [header(month, payments)]
    for number, (iban, amount, currency) in enumerate(payments, start=1):
        if amount <= 0:
            raise ValueError(f"payment {number} of {amount}")
        lines.append("|".join([f"{number:04d}", grouped(iban), f"{amount:.2f}", currency, "SALARY " + month]))
    return "\n".join(lines)


def header(month, payments):
    year, number = month.split("-")
    currencies = "+".join(sorted({currency for _, _, currency in payments}))
    return f"BATCH {number}/{year} {len(payments)} {currencies}"
