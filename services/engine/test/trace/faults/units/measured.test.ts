import { describe, expect, it } from "vitest";
import { type Files, ofKind, traced } from "../../signals-in.ts";

/** The unit that is found for an expression which is added to milliseconds; null for milliseconds, or none. */
async function unitOf(expression: string, before = ""): Promise<unknown> {
  const files: Files = {
    "check.js": `export function check(nowMs, session) {\n  const at = nowMs + ${expression};\n  if (at > limit) throw new Error("the session has expired");\n}\n${before}`,
  };
  const { signals } = await traced("Error: the session has expired\n    at check (/srv/check.js:3:25)\n", files);
  const [found] = signals.flatMap((signal) => (signal.kind === "mixed-units" ? [signal.args] : []));
  return found ? [found.unit, found.otherUnit].find((unit) => unit !== "milliseconds") : null;
}

describe("the unit of an expression", () => {
  it.each([
    ["ttlSeconds", "seconds"],
    ["session.ttlMinutes", "minutes"],
    ['session["ttl_seconds"]', "seconds"],
    ["ttlInSeconds()", "seconds"],
    ["process.uptime()", "seconds"],
    ["ttlMinutes * 60", "seconds"],
    ["ttlHours * 3_600", "seconds"],
    ["ttlMs / 1000", "seconds"],
    ["ttlMs / msPerSecond", "seconds"],
    ["ttlSeconds / 2", "seconds"],
    ["-ttlSeconds", "seconds"],
    ["Math.round(ttlSeconds)", "seconds"],
    ["Math.max(1, ttlSeconds)", "seconds"],
    ["(isShort ? ttlSeconds : 60)", "seconds"],
    ["(session.lifetime ?? ttlSeconds)", "seconds"],
    ["(untilSeconds - fromSeconds)", "seconds"],
  ])("follows from names, calls, and conversions: %s", async (expression, unit) => {
    expect(await unitOf(expression)).toBe(unit);
  });

  it.each([
    ["a variable's value", "ttl", "const ttl = ttlSeconds;\n"],
    ["the field that a variable is taken from", "ttl", "const { lifetimeSeconds: ttl } = options;\n"],
    ["what a function returns", "ttl()", "function ttl() {\n  return ttlSeconds;\n}\n"],
    ["the setting that a call reads", "ttl", 'const ttl = settings.read("SESSION_TTL_SECONDS", 60);\n'],
    [
      "the setting that its own reader reads",
      "ttl",
      'const ttl = read("ttl_seconds");\nfunction read(name) {\n  return Number(process.env[name]);\n}\n',
    ],
    ["what is written to a field", "session.ttl", "const session = { ttl: ttlSeconds };\n"],
  ])("is that of %s where its name doesn't say it", async (_, expression, before) => {
    expect(await unitOf(expression, before)).toBe("seconds");
  });

  it.each([
    ["it is converted", "ttlSeconds * 1000", ""],
    ["it is converted twice", "ttlMinutes * 60 * 1000", ""],
    ["a rate converts it", "ttlSeconds * msPerSecond", ""],
    ["its factor isn't known", "ttlSeconds * factor", ""],
    ["it is a clock's", "Date.now()", ""],
    ["it is only a number", "60", ""],
    ["a variable has had two", "ttl", "let ttl = ttlSeconds;\nttl = ttlMs;\n"],
    ["a field is written in two", "session.ttl", "const one = { ttl: ttlSeconds };\nconst two = { ttl: ttlMs };\n"],
  ])("is no other than milliseconds when %s", async (_, expression, before) => {
    expect(await unitOf(expression, before)).toBeNull();
  });

  it.each([
    ["time.time()", []],
    ["LEASE_MS", [{ line: 6, args: expect.objectContaining({ unit: "seconds", otherUnit: "milliseconds" }) }]],
    ["LEASE_MS / 1000", []],
  ])("is known in Python: %s", async (expression, found) => {
    const text = `import time\n\nLEASE_MS = 2500\n\ndef check(lease):\n    until = time.time() + ${expression}\n    if until > lease:\n        raise ValueError("the lease has expired")\n`;
    const log =
      'Traceback (most recent call last):\n  File "/srv/lease.py", line 8, in check\nValueError: the lease has expired\n';
    expect(ofKind((await traced(log, { "lease.py": text })).signals, "mixed-units")).toEqual(found);
  });
});
