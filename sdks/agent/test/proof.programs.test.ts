import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AnalyzeRequest, type Incident, observedSchema } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prove } from "../src/prove/prove.ts";
import { temporaryFolder } from "./whence-command.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** Proves the failure of a program at a service that answers each analysis in turn. */
async function proven(code: string, answer: (request: AnalyzeRequest, nth: number) => object) {
  await writeFile(join(folder.path, "main.cjs"), code);
  const sent: AnalyzeRequest[] = [];
  const answers: object[] = [];
  const proof = await prove([process.execPath, "main.cjs"], {
    agent: {
      analyze: async (request) => {
        sent.push(request);
        answers.push(answer(request, sent.length));
        return { incident_id: `${sent.length}`, status: "queued", url: "" };
      },
    },
    finished: async (id) => answers[Number(id) - 1] as Incident,
    ...{
      filesFor: async () => [],
      onRun: () => undefined,
      onTrial: () => undefined,
      onUndoRun: () => undefined,
      onUndone: () => undefined,
      onOutput: () => undefined,
      clock: Date.now,
    },
    program: { cwd: folder.path, environment: { PATH: process.env.PATH } },
    ...{ withinMs: 86_400_000, signal: new AbortController().signal },
  });
  return { proof, sent };
}

const longName = "f".repeat(2_000);
const code = `const ${longName} = (x) => {
  throw new Error("gone");
};
${longName}(1);
`;
const reported = (line: number) => ({
  report: {
    ...{ candidates: [], watch_for: ["gone"] },
    watch: [{ file: "main.cjs", line, function: null, starts: 1 }],
  },
});

/** Runs a program several times; the time is nearly over after the first run. */
async function repeated(code: string) {
  await writeFile(join(folder.path, "main.cjs"), code);
  let now = 0;
  const ends: (number | null)[] = [];
  const refused = () => Promise.reject(new Error("nothing may be analyzed"));
  const proof = await prove([process.execPath, "main.cjs"], {
    agent: { analyze: refused },
    finished: refused,
    ...{ filesFor: refused, onRun: () => undefined, onTrial: () => undefined, onOutput: () => undefined },
    ...{ onUndoRun: () => undefined, onUndone: () => undefined },
    repeated: {
      times: 3,
      onTime: (_, { ended }) => {
        ends.push(ended.code);
        now = ends.length === 1 ? 86_399_999 : 86_400_000;
      },
      onTimed: () => undefined,
    },
    clock: () => now,
    program: { cwd: folder.path, environment: { PATH: process.env.PATH } },
    ...{ withinMs: 86_400_000, signal: new AbortController().signal },
  });
  return { proof, ends };
}

describe("a command that is run several times", () => {
  it("hasn't failed where only the end of the time cut a run off", async () => {
    const slowLater = `const fs = require("node:fs");
if (fs.existsSync("ran")) setInterval(() => console.log("busy"), 1_000);
fs.writeFileSync("ran", "");
`;
    expect(await repeated(slowLater)).toEqual({ proof: { kind: "passed" }, ends: [0, null] });
  });
});

describe("a proof", () => {
  it("sends what the service accepts, even with very long names of the program", async () => {
    const { sent } = await proven(code, (_, nth) => reported(nth + 1));
    const runs = sent.flatMap(({ observed }) => observedSchema.parse(observed).runs);
    expect(runs.flatMap(({ hits }) => hits.map((hit) => hit.function))).toContain(`${"f".repeat(199)}…`);
  });

  it("ends with the last report when the service refuses what was seen", async () => {
    const { proof } = await proven(code, (_, nth) => {
      if (nth === 2) throw new Error("refused");
      return reported(nth + 1);
    });
    expect(proof).toMatchObject({ kind: "reported", runs: 2, incident: reported(2), problem: { message: "refused" } });
  });

  it("looks which files the program loads when the report names no place to watch", async () => {
    const { proof, sent } = await proven(code, (_, nth) => (nth === 1 ? { report: { candidates: [] } } : reported(2)));
    expect(proof).toMatchObject({ kind: "reported", runs: 3 });
    expect(sent).toHaveLength(3);
  });

  it.each([
    ["Go", "panic: gone\\n\\tgoroutine 1 [running]:\\n\\t/srv/main.go:3 +0x1", null],
    ["Java", "java.lang.IllegalStateException: gone\\n\\tat shop.Main.run(Main.java:3)", "Main.java"],
  ])("runs no command again that fails in a language that isn't watched: %s", async (_, printed, file) => {
    const report = {
      ...{ candidates: [], watch_for: ["gone"] },
      watch: file === null ? [] : [{ file, line: 3, function: null, starts: 1 }],
    };
    const failing = `console.error("${printed}");\nprocess.exitCode = 1;\n`;
    const { proof, sent } = await proven(failing, () => ({ report }));
    expect(proof).toMatchObject({ kind: "reported", runs: 1 });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ["without a place, whose message looks like a file", []],
    ["in a script whose name has no ending", [{ file: "bin/tool", line: 1, function: null, starts: null }]],
  ])("runs a command again that fails %s", async (_, watch) => {
    const failing = 'console.error("order.c is undefined: gone");\nprocess.exitCode = 1;\n';
    const report = { candidates: [], watch_for: ["gone"], watch };
    const { proof } = await proven(failing, () => ({ report }));
    expect(proof).toMatchObject({ kind: "reported", runs: 2 });
  });
});
