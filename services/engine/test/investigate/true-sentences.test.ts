import type { Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { InvestigationSubject } from "../../src/findings/investigation-subject.ts";
import { investigated, textSubject } from "../investigated.ts";
import {
  call,
  eventSubject,
  exception,
  frameAt,
  type Program,
  type Reported,
  reportedEvent,
} from "../reported-event.ts";

const traceback = (frames: readonly (readonly [place: string, code: string])[], error: string): string =>
  [
    "Traceback (most recent call last):",
    ...frames.flatMap(([place, code]) => [`  File "/srv/${place}`, `    ${code}`]),
    `${error}\n`,
  ].join("\n");

/** An event of a program whose files were uploaded. */
function uploaded(program: Program, reported: Reported): InvestigationSubject {
  const subject = eventSubject(reportedEvent(reported), "ferry");
  if (subject.input.kind !== "event") throw new Error("no event");
  const files = Object.entries(program).map(([path, content]) => ({
    ...{ name: path, path, content },
    version: "uploaded for 1.4.2",
  }));
  return { ...subject, input: { ...subject.input, files } };
}

const adviceOf = (report: Report): string =>
  JSON.stringify([report.short_term_solutions, report.long_term_solutions, report.detailed_analysis]);

describe("a client that raises an error in place of a response", () => {
  const program: Program = {
    "/srv/ferry/tides.py": `import json
from urllib.request import urlopen


def tides(port):
    with urlopen("http://tides:8080/ports/" + port) as response:
        return json.load(response)
`,
    "/srv/ferry/plan.py": `from ferry.retry import retried
from ferry.tides import tides


def depart(port):
    table = retried(tides, port)
    return table["high"]
`,
    "/srv/ferry/retry.py": `def retried(function, *given):
    for attempt in range(3):
        try:
            return function(*given)
        except OSError:
            pass
`,
  };
  const frames = [frameAt(program, "/srv/ferry/plan.py", 'table["high"]', "depart")];
  const reportOn = async (status: number): Promise<Report> => {
    const breadcrumbs = [call(1, { method: "GET", url: "http://tides:8080/ports/sund", status_code: status })];
    const exceptions = [exception("TypeError", "'NoneType' object is not subscriptable", frames)];
    return (await investigated(uploaded(program, { exceptions, breadcrumbs }))).report;
  };

  it("isn't said to have returned something, nor to need a check of its response", async () => {
    const report = await reportOn(503);
    expect(JSON.stringify(report)).toContain("tides:8080");
    expect(JSON.stringify(report)).not.toContain("uses the result of `urlopen(");
    expect(adviceOf(report)).not.toMatch(/Check what `urlopen|Reject it there/);
  });
});

describe("a call that was given up", () => {
  it("has no result to look at", async () => {
    const files = {
      "lock.py": `import asyncio


class Lock:
    async def open(self, ship):
        return await asyncio.wait_for(self._fill(ship), 5)

    async def _fill(self, ship):
        await self._pump.run(ship.draught)
`,
    };
    const log = traceback(
      [['lock.py", line 6, in open', "return await asyncio.wait_for(self._fill(ship), 5)"]],
      "TimeoutError",
    );
    const { report } = await investigated(textSubject(log, files));
    expect(report.detailed_analysis).not.toMatch(/log line at [^\n]*lock\.py:6[^\n]*self\._fill/);
  });
});

describe("two operands that don't fit together", () => {
  const files = {
    "toll.py": "def due(ship, rate):\n    return ship.length * (1 + rate)\n",
    "gate.py": "from toll import due\n\ndef passes(ship, rate):\n    return due(ship, rate)\n",
  };
  const log = traceback(
    [
      ['gate.py", line 4, in passes', "return due(ship, rate)"],
      ['toll.py", line 2, in due', "return ship.length * (1 + rate)"],
    ],
    "TypeError: unsupported operand type(s) for *: 'float' and 'decimal.Decimal'",
  );

  it("are both named, each with its type", async () => {
    const { report } = await investigated(textSubject(log, files));
    expect(report.chain.at(-1)?.what).toContain(
      "combines `ship.length` of type `float` with `1 + rate` of type `decimal.Decimal`",
    );
  });

  it("are shown by the date without a time zone, where one has it", async () => {
    const program: Program = { "/srv/ferry/berth.py": "def stay(now, ship):\n    return now - ship.since\n" };
    const variables = { now: "2026-03-01 10:00:00+00:00", ship: { since: "2026-02-28 18:00:00.125" } };
    const frame = { ...frameAt(program, "/srv/ferry/berth.py", "now - ship.since", "stay"), vars: variables };
    const exceptions = [exception("TypeError", "can't subtract offset-naive and offset-aware datetimes", [frame])];
    const { report } = await investigated(uploaded(program, { exceptions }));
    expect(report.root_cause_summary).toContain('`ship.since` is `"2026-02-28 18:00:00.125"`');
    expect(report.root_cause.category).not.toBe("schema-drift");
  });
});

describe("a division of decimals", () => {
  const program: Program = {
    "/srv/ferry/fares.py":
      "def average(fares):\n    paid = [one.amount for one in fares]\n    return sum(paid) / len(paid)\n",
  };

  it("fails by its divisor, and not in the call that counts", async () => {
    const frame = { ...frameAt(program, "/srv/ferry/fares.py", "sum(paid)", "average"), vars: { paid: [] } };
    const message = "[<class 'decimal.DivisionUndefined'>]";
    const { report } = await investigated(
      uploaded(program, { exceptions: [exception("InvalidOperation", message, [frame])] }),
    );
    expect(report.root_cause_summary).toContain("divides by `len(paid)`, which is `0`");
    expect(report.root_cause_summary).toContain("`paid` is `[]`");
  });
});

describe("the advice on a condition", () => {
  const adviceFor = async (message: string): Promise<string> => {
    const files = {
      "deck.py":
        "def board(ship, cars):\n    if len(cars) > ship.places:\n        raise Full(len(cars), ship.places)\n",
    };
    const log = traceback(
      [['deck.py", line 3, in board', "raise Full(len(cars), ship.places)"]],
      `deck.Full: ${message}`,
    );
    return adviceOf((await investigated(textSubject(log, files))).report);
  };

  it("asks to log its values only where the message lacks them", async () => {
    expect(await adviceFor("no place left")).toContain("Log the values in it");
    const stated = await adviceFor("31 cars for 30 places");
    expect(stated).toContain("Find out why `len(cars) > ship.places` is true");
    expect(stated).not.toContain("Log the values in it");
  });
});
