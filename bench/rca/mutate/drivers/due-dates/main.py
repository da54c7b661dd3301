from datetime import datetime, timezone

from schedule import next_runs, occurrences
from texts import describe

start = datetime(2025, 3, 28, 9, 30, tzinfo=timezone.utc)
runs = next_runs("*/15 9-17 * * mon-fri", start, 5) + next_runs("0 0 29 2 *", start, 1) + next_runs("0 12 * * 5#2", start, 2)
if sorted(runs)[0] <= start:
    raise ValueError(f"{runs[0]} is not after {start}")
for when in occurrences("DTSTART:20250101T080000\nRRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=4\nEXDATE:20250228T080000"):
    print(describe(when, start)["line"].upper())
texts = [describe(run, start) for run in runs]
print(texts[0]["ago"], texts[-1]["german"], texts[2]["short"].split(" ")[1], max(text["days"] for text in texts))
