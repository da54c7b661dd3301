BASE_FIELDS = ["mail"]
DEFAULT_LIMITS = {"mail": 40}
