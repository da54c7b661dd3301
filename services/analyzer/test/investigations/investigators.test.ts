import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Collected, type Collector, collectEvidence, type InvestigationPorts } from "@whence/engine";
import { investigate } from "@whence/engine/investigate";
import { eventSubject, exception, frameAt, reportedEvent, textSubject } from "@whence/engine/testing";
import { afterAll, describe, expect, it } from "vitest";
import { briefTextUnitsMax } from "../../src/investigations/brief-subject.ts";
import { processorTime } from "../../src/investigations/investigation-deadline.ts";
import { openInvestigators } from "../../src/investigations/investigators.ts";

const execArgv = ["--conditions=@whence/source"];
const log =
  "TypeError: Cannot read properties of undefined (reading 'total')\n    at show (/srv/src/a.js:2:16)\n    at go (/srv/src/a.js:5:3)\n";
const files = {
  "src/a.js": "function show(order) {\n  return order.total;\n}\nfunction go() {\n  show(undefined);\n}\n",
};
const never = new AbortController().signal;

const portsWith = (steps: string[] = [], collected?: () => Promise<Collected>): InvestigationPorts => ({
  ...(collected && { collected }),
  clock: () => 0,
  onStep: async (step) => {
    steps.push(step);
  },
});

const investigators = openInvestigators({ size: 1, execArgv });
afterAll(() => investigators.close());

describe("an investigation in a thread of its own", () => {
  it("gives the same report and steps as on the main thread", async () => {
    const here: string[] = [];
    const there: string[] = [];
    const expected = await investigate(textSubject(log, files), portsWith(here), never);
    expect(await investigators.investigate(textSubject(log, files), portsWith(there), never)).toEqual(expected);
    expect(there).toEqual(here);
  });

  it("receives what the collectors found, which stay with the database", async () => {
    const program = { "/srv/src/a.js": files["src/a.js"] };
    const frames = [frameAt(program, "/srv/src/a.js", "total", "show")];
    const event = reportedEvent({
      exceptions: [exception("TypeError", "Cannot read properties of undefined", frames)],
    });
    const asked: unknown[] = [];
    const collector: Collector = {
      name: "telemetry",
      collect: async ({ event: facts }) => {
        asked.push(facts?.id);
        throw new Error("no database today");
      },
    };
    const subject = eventSubject(event);
    const ports = portsWith([], () => collectEvidence([collector], subject, never));
    const report = await investigators.investigate(subject, ports, never);
    expect(asked).toEqual([event.id]);
    expect(report.not_checked.join()).toContain("Telemetry: failed with `no database today`");
  });

  it("is rejected when it is no longer wanted", async () => {
    const stopping = AbortSignal.abort(new Error("the process stops"));
    await expect(investigators.investigate(textSubject(log, files), portsWith(), stopping)).rejects.toThrow(
      "the process stops",
    );
  });

  it("leaves a thread that was still loading to the next one, so a slow machine gets there in the end", async () => {
    const folder = await mkdtemp(join(tmpdir(), "whence-loading-"));
    const [loads, mayLoad] = [join(folder, "loads"), join(folder, "may-load")];
    await writeFile(loads, "");
    const loading = `import { appendFileSync, existsSync } from "node:fs";
      appendFileSync(${JSON.stringify(loads)}, "x");
      while (!existsSync(${JSON.stringify(mayLoad)})) await new Promise((resolve) => setTimeout(resolve, 10));`;
    const slow = openInvestigators({ size: 1, execArgv: [...execArgv, `--import=data:text/javascript,${loading}`] });
    const late = new AbortController();
    const first = slow.investigate(textSubject(log, files), portsWith(), late.signal);
    await expect.poll(() => readFile(loads, "utf8")).toBe("x");
    late.abort(new Error("too late"));
    await expect(first).rejects.toThrow("too late");
    await appendFile(mayLoad, "");
    const report = await slow.investigate(textSubject(log, files), portsWith(), never);
    expect(report.root_cause.category).toBe("null-dereference");
    expect(await readFile(loads, "utf8")).toBe("x");
    await slow.close();
    await rm(folder, { recursive: true });
  });

  it("is rejected with what a step threw", async () => {
    const ports = { ...portsWith(), onStep: () => Promise.reject(new Error("overtaken")) };
    await expect(investigators.investigate(textSubject(log, files), ports, never)).rejects.toThrow("overtaken");
  });
});

const second = 1_000;
const enough = { readingMs: 30 * second, reportMs: 60 * second };

describe("an investigation that takes too long", () => {
  it("starts over without code when its input isn't read in time, and the report says so", async () => {
    const impatient = openInvestigators({ size: 1, execArgv, processorTime: { ...enough, readingMs: 0 } });
    const report = await impatient.investigate(textSubject(log, files), portsWith(), never);
    await impatient.close();
    expect(report.not_checked.join()).toContain("The investigation stopped early, because reading took too much time");
    expect(report.root_cause.category).toBe("null-dereference");
  });

  it("starts over with the beginning of a long text", async () => {
    const impatient = openInvestigators({ size: 1, execArgv, processorTime: { ...enough, readingMs: 0 } });
    const long = `${log}${"x".repeat(briefTextUnitsMax)}`;
    const report = await impatient.investigate(textSubject(long), portsWith(), never);
    await impatient.close();
    expect(report.not_checked.join()).toContain(`Only the first ${briefTextUnitsMax} characters of the text were read`);
  });

  it("ends with an error that says how much time it used when there is no report by then", async () => {
    const impatient = openInvestigators({ size: 1, execArgv, processorTime: { readingMs: 0, reportMs: 0 } });
    const ending = impatient.investigate(textSubject(log, files), portsWith(), never);
    await expect(ending).rejects.toMatchObject({ code: "WHENCE_ERR_INVESTIGATION_TIMEOUT" });
    await impatient.close();
  });
});

describe("the time of an investigation", () => {
  it("is ten seconds of a processor, half of it for reading", () => {
    expect(processorTime).toEqual({ readingMs: 5 * second, reportMs: 10 * second });
  });
});
