from pricing.settings import DEFAULT_RULES

GROUPS = {"student": ("student", 15), "staff": ("staff", 30)}


def rules_for(group):
    rules = DEFAULT_RULES.copy()
    if group is not None:
        rules.append(GROUPS[group])
    return rules
