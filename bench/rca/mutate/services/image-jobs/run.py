import traceback

from images.jobs import run

JOBS = [("resize", 800), ("thumbnail", 300), ("crop", 300), ("resize", 200), ("thumbnail", 900), ("crop", 640)] * 3

failed = False
for kind, width in JOBS:
    try:
        print(run(kind, {"width": width, "height": 500}))
    except Exception:
        traceback.print_exc()
        failed = True
if failed:
    raise SystemExit(1)
