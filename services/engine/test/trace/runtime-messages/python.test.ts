import { describe, expect, it } from "vitest";
import { parseEvent } from "../../../src/index.ts";
import { SourceText } from "../../../src/source/source-text.ts";
import { traceError } from "../../../src/trace/trace-error.ts";
import { exception, frameAt, reportedEvent } from "../../reported-event.ts";
import { ofKind, stepsOf, traced } from "../signals-in.ts";

function raisedOn(line: string, message: string): string {
  return `Traceback (most recent call last):
  File "/srv/till.py", line 2, in settle
    ${line}
${message}
`;
}

describe("what Python's own functions refuse", () => {
  it.each([
    ["price = Decimal(row.price)", "TypeError: conversion from NoneType to Decimal is not supported", "None"],
    [
      "price = json.loads(row.price)",
      "TypeError: the JSON object must be str, bytes or bytearray, not NoneType",
      "None",
    ],
    ["at = date.fromisoformat(row.price)", "TypeError: fromisoformat: argument must be str", "not a text"],
    ["at = datetime.strptime(row.price, shape)", "TypeError: strptime() argument 1 must be str, not int", "int"],
    ["size = ord(row.price)", "TypeError: ord() argument must be a string of length 1, not 'NoneType'", "None"],
  ])("is the argument: %s", async (line, message, was) => {
    const { signals } = await traced(raisedOn(line, message), { "till.py": `def settle(row):\n    ${line}\n` });
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "row.price", was, use: "argument" });
  });
});

describe("what Python divides by", () => {
  it.each(["price = 7 // row.price", "price %= row.price", "price = divmod(7, row.price)"])(
    "is the zero: %s",
    async (line) => {
      const log = raisedOn(line, "ZeroDivisionError: integer division or modulo by zero");
      const { signals } = await traced(log, { "till.py": `def settle(row):\n    ${line}\n` });
      expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "row.price", was: "0", use: "divide" });
    },
  );
});

describe("dates with and without a time zone", () => {
  it("are followed from both sides of the operator", async () => {
    const files = {
      "till.py": "def settle(at, visit):\n    return at - visit.booked\n",
      "visits.py": [
        "import till, clock",
        "def leave(row):",
        "    visit = Visit(booked=datetime.fromisoformat(row['booked']))",
        "    return till.settle(clock.now(), visit)",
      ].join("\n"),
    };
    const log = `Traceback (most recent call last):
  File "/srv/visits.py", line 4, in leave
    return till.settle(clock.now(), visit)
  File "/srv/till.py", line 2, in settle
    return at - visit.booked
TypeError: can't subtract offset-naive and offset-aware datetimes
`;
    const { signals } = await traced(log, files);
    expect(ofKind(signals, "bad-value")).toMatchObject([{ line: 2, args: { expression: "at - visit.booked" } }]);
    expect(stepsOf(signals)).toEqual(expect.arrayContaining(["call visits.py:4", "call visits.py:3"]));
  });

  it.each([
    ["2026-03-01 10:00:00.250000+00:00", "2026-02-28 18:00:00"],
    ["<datetime 2026-03-01 10:00:00.250000+00:00>", "<datetime 2026-02-28 18:00:00>"],
    ["<datetime 2026-03-01 10:00:00 tzutc>", "<datetime 2026-02-28 18:00:00>"],
  ])("are followed only from the side without one where the client sent both: %s", async (at, since) => {
    const program = { "/srv/till.py": "def settle(at, visit):\n    since = visit.booked\n    return at - since\n" };
    const vars = { at, since, visit: "<Visit>" };
    const frame = { ...frameAt(program, "/srv/till.py", "at - since", "settle"), vars };
    const message = "can't subtract offset-naive and offset-aware datetimes";
    const error = parseEvent(reportedEvent({ exceptions: [exception("TypeError", message, [frame])] }));
    const source = new SourceText("source_file", "/srv/till.py", program["/srv/till.py"]);
    const { signals } = await traceError(error, null, [source]);
    expect(stepsOf(signals)).toContain("assignment /srv/till.py:2");
    const read = signals.flatMap((one) => (one.kind === "value-step" ? [one.args.name] : []));
    expect(read).not.toContain("at");
  });
});
