import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../../testing.ts";

const session = (until: string): Record<string, string> => ({
  "src/sessions.mjs": `export function open(user, now = Date.now()) {\n  return { user, validUntil: now + ${until} };\n}\n`,
  "src/check.mjs":
    "import { open } from './sessions.mjs';\nimport { lifetimeSeconds } from './limits.mjs';\nexport function check(session, at) {\n  if (at > session.validUntil) throw new Error('the session has expired');\n  return open(session.user, at);\n}\n",
  "src/limits.mjs": "export const lifetimeSeconds = 900;\n",
});
const log = `Error: the session has expired
    at check (file:///srv/src/check.mjs:4:38)
`;

async function statementOf(text: string, files: Record<string, string>): Promise<string> {
  const { report } = await investigated(textSubject(text, files));
  return report.root_cause.statement;
}

describe("a quantity that is used in another unit", () => {
  it("is named with both units, where they meet", async () => {
    const { report } = await investigated(textSubject(log, session("lifetimeSeconds")));
    expect(report.root_cause).toMatchObject({
      location: { file: "src/sessions.mjs", line: 2 },
      statement: expect.stringContaining("combines `now` (milliseconds) with `lifetimeSeconds` (seconds)"),
    });
  });

  it("isn't named when it is converted", async () => {
    expect(await statementOf(log, session("lifetimeSeconds * 1000"))).not.toContain("(seconds)");
    expect(await statementOf(log, session("lifetimeSeconds * msPerSecond"))).not.toContain("(seconds)");
  });

  it("isn't reported when a name states the conversion or is a factor", async () => {
    const converted = (declared: string, use: string): Record<string, string> => ({
      "src/pay.mjs": `${declared}\nexport function pay(totalCents, waitMs, limitSeconds) {\n  ${use}\n  throw new RangeError("the amount is too large, and the deadline has ended");\n}\n`,
    });
    const text =
      "RangeError: the amount is too large, and the deadline has ended\n    at pay (file:///srv/src/pay.mjs:4:9)\n";
    for (const [declared, use] of [
      ["function fromCents(cents) {\n  return cents / 100;\n}", "const totalEuros = fromCents(totalCents);"],
      ["function priceFromCents(cents) {\n  return cents / 100;\n}", "const totalEuros = priceFromCents(totalCents);"],
      [
        "function msFromSeconds(value) {\n  return value * 1000;\n}",
        "if (msFromSeconds(limitSeconds) < waitMs) return;",
      ],
      ["const SECONDS = 1000;", "if (waitMs > 5 * SECONDS) return;"],
    ] as const)
      expect(await statementOf(text, converted(declared, use))).not.toMatch(/uses|compares|combines/);
  });

  it("isn't named when the error is about something else", async () => {
    const other = log.replace("Error: the session has expired", "TypeError: session.user.trim is not a function");
    expect(await statementOf(other, session("lifetimeSeconds"))).not.toContain("(seconds)");
  });

  it("is named in Python, too, where a call takes another unit", async () => {
    const text = `Traceback (most recent call last):
  File "/srv/poll/poller.py", line 6, in poll
    answer = requests.get(url, timeout=WAIT_MS)
TimeoutError: no answer
`;
    const files = {
      "poll/poller.py":
        "import requests\n\nfrom poll.options import WAIT_MS\n\ndef poll(url):\n    answer = requests.get(url, timeout=WAIT_MS)\n    return answer.json()\n",
      "poll/options.py": "WAIT_MS = 2500\n",
    };
    expect(await statementOf(text, files)).toContain(
      "uses `WAIT_MS` (milliseconds) for `requests.get(timeout=…)` (seconds)",
    );
  });

  it("is named where it is stored under a name that doesn't say its unit", async () => {
    const files = {
      "src/options.mjs": "export const options = { wait: Number(process.env.BACKEND_WAIT_SECONDS) };\n",
      "src/backend.mjs":
        "import { options } from './options.mjs';\nexport async function ask(url) {\n  const response = await fetch(url, { signal: AbortSignal.timeout(options.wait) });\n  return response.json();\n}\n",
    };
    const text =
      "TimeoutError: The operation was aborted due to timeout\n    at async ask (file:///srv/src/backend.mjs:3:20)\n";
    const { report } = await investigated(textSubject(text, files));
    expect(report.root_cause).toMatchObject({
      location: { file: "src/options.mjs", line: 1 },
      statement: expect.stringContaining("(seconds) as `wait`, which is used for `AbortSignal.timeout` (milliseconds)"),
    });
  });

  it("is named where a constant of two units has the wrong number", async () => {
    const files = {
      "src/plan.mjs":
        "const msPerHour = 60 * 60;\nexport function plan(at, now) {\n  const hours = (at - now) / msPerHour;\n  if (hours > 48) throw new RangeError(`planned ${hours} hours ahead`);\n  return hours;\n}\n",
    };
    const text = "RangeError: planned 1000 hours ahead\n    at plan (file:///srv/src/plan.mjs:4:26)\n";
    expect(await statementOf(text, files)).toContain(
      "sets `msPerHour` to `3600`, which isn't how many milliseconds make up hours",
    );
  });

  it("is suspected in a limit that is next to nothing in the unit of its name", async () => {
    const files = (limit: string): Record<string, string> => ({
      "src/limits.mjs": `export const limits = { noteMaxBytes: ${limit} };\n`,
      "src/notes.mjs":
        "import { limits } from './limits.mjs';\nexport function note(text) {\n  if (text.length > limits.noteMaxBytes) throw new RangeError('the note is too large');\n  return text;\n}\n",
    });
    const text = "RangeError: the note is too large\n    at note (file:///srv/src/notes.mjs:3:48)\n";
    const suspected = async (limit: string): Promise<string> => {
      const { report } = await investigated(textSubject(text, files(limit)));
      return report.candidates.map(({ statement }) => statement).join("\n");
    };
    expect(await suspected("8")).toContain("sets `noteMaxBytes`, which is in bytes, to only `8`");
    expect(await suspected("8192")).not.toContain("to only");
  });
});
