import os

MAX_LOANS = int(os.environ.get("MAX_LOANS", "6"))
deposit_limit_cents = 20_000
photo_size_limit_kb = 4
desk_wait_seconds = 0.8
reservation_hours = 48
WORKERS = 4
