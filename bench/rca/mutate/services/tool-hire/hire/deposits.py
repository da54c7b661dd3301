from hire.rules import deposit_limit_cents


def deposit(member, euros):
    cents = int(euros * 100)
    if cents > deposit_limit_cents:
        raise ValueError(f"deposit of {member} is over the limit ({cents})")
    if cents < 200:
        raise ValueError(f"deposit of {member} is too small ({cents})")
    return cents
