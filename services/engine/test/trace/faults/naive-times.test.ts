import { describe, expect, it } from "vitest";
import { type Files, ofKind, traced } from "../signals-in.ts";

const log = `Traceback (most recent call last):
  File "/srv/lease.py", line 5, in is_over
    return now() > lease.end
           ~~~~~~^~~~~~~~~~~
TypeError: can't compare offset-naive and offset-aware datetimes
`;
const lease = (rest: string): Files => ({
  "lease.py": `from clock import now
from datetime import datetime, timezone

def is_over(lease):
    return now() > lease.end

${rest}
`,
  "clock.py": "from datetime import datetime, timezone\n\ndef now():\n    return datetime.now(timezone.utc)\n",
});
const signed = (made: string): string => `class Lease:\n    def __init__(self):\n        self.end = ${made}`;

const found = async (files: Files): Promise<object[]> =>
  ofKind((await traced(log, files)).signals, "naive-time").map(({ args }) => args);

describe("a time without a time zone", () => {
  it.each(["datetime.utcnow()", "datetime.now()", "datetime.fromtimestamp(7)", "datetime.utcfromtimestamp(7)"])(
    "is found where it is made: %s",
    async (made) => {
      expect(await found(lease(signed(made)))).toEqual([{ made }]);
    },
  );

  it("is found behind a column of a table", async () => {
    const read = `def read(db):
    row = db.execute("SELECT id, ended FROM leases").fetchone()
    is_over(Lease(end=datetime.fromisoformat(row["ended"])))

def end(db, key):
    db.execute("UPDATE leases SET ended = ? WHERE id = ?", (datetime.utcnow().isoformat(), key))

class Lease:
    def __init__(self, end):
        self.end = end`;
    expect(await found(lease(read))).toEqual([{ made: "datetime.utcnow()" }]);
  });

  it("isn't it when the time has a time zone", async () => {
    expect(await found(lease(signed("datetime.now(timezone.utc)")))).toEqual([]);
    expect(await found(lease(signed("datetime.fromtimestamp(7, timezone.utc)")))).toEqual([]);
    expect(await found(lease(signed("datetime.utcnow().replace(tzinfo=timezone.utc)")))).toEqual([]);
    expect(await found(lease(signed("datetime.now().astimezone()")))).toEqual([]);
  });

  it("isn't it when most times of the program have none", async () => {
    const others = "def first():\n    return datetime.now()\n\ndef second():\n    return datetime.utcnow()";
    expect(await found(lease(`${signed("datetime.now()")}\n\n${others}`))).toEqual([]);
  });

  it("isn't known when several may be it", async () => {
    const two = `${signed("datetime.now()")}\n\n    def prolong(self):\n        self.end = datetime.utcnow()\n\ndef a():\n    return datetime.now(timezone.utc)\n\ndef b():\n    return datetime.now(timezone.utc)`;
    expect(await found(lease(two))).toEqual([]);
  });
});
