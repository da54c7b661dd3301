import { describe, expect, it } from "vitest";
import { ofKind, traced } from "../signals-in.ts";

const log =
  'Traceback (most recent call last):\n  File "/srv/diary.py", line 2, in since\n    return [note for note in notes if note.date >= start]\nTypeError: can\'t compare offset-naive and offset-aware datetimes\n';
const diary = "def since(notes, start):\n    return [note for note in notes if note.date >= start]\n";
const reading = (then: string): string =>
  `def read(entry, zone):\n    date = entry["date"]\n    ${then}\n    return Note(date)\n`;

describe("the only code that gives times a time zone", () => {
  const loneIn = async (text: string, more: Record<string, string> = {}) =>
    ofKind((await traced(log, { "diary.py": diary, "read.py": text, ...more })).signals, "lone-time-zone");

  it("is named where one of two times has none", async () => {
    expect(await loneIn(reading("date = date.astimezone(zone)"))).toEqual([
      { line: 3, args: { made: "date.astimezone(zone)" } },
    ]);
    expect(await loneIn(reading("date = date.replace(tzinfo=zone)"))).toEqual([
      { line: 3, args: { made: "date.replace(tzinfo=zone)" } },
    ]);
  });

  it.each([
    ["the time zone is removed again", reading("date = date.astimezone(zone).replace(tzinfo=None)")],
    ["a helper returns it to others", "def local(date, zone):\n    return date.replace(tzinfo=zone)\n"],
    ["no time zone is given", reading("date = date.replace(hour=0)")],
  ])("isn't suspected where %s", async (_, text) => {
    expect(await loneIn(text)).toEqual([]);
  });

  it("isn't suspected where other code does so, too", async () => {
    const now = "from datetime import datetime, timezone\n\ndef now():\n    return datetime.now(tz=timezone.utc)\n";
    expect(await loneIn(reading("date = date.astimezone(zone)"), { "clock.py": now })).toEqual([]);
    const made =
      "from datetime import datetime, timezone\n\ndef first():\n    return datetime(2026, 1, 1, 0, 0, 0, 0, timezone.utc)\n";
    expect(await loneIn(reading("date = date.astimezone(zone)"), { "clock.py": made })).toEqual([]);
  });
});
