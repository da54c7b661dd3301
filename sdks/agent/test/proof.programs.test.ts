import { type AnalyzeRequest, type Incident, observedSchema } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { type ProvePorts, prove } from "../src/prove/prove.ts";
import type { Undoing } from "../src/prove/undo-change.ts";
import { useGitTree } from "./git-tree.ts";

const { path: tree, write, commit } = useGitTree();

/** Proves the failure of a program at a service that answers each analysis in turn. */
async function proven(code: string, answer: (request: AnalyzeRequest, nth: number) => object) {
  await write({ "main.cjs": code });
  const sent: AnalyzeRequest[] = [];
  const { proof } = await proving((nth, request) => {
    sent.push(request);
    return answer(request, nth);
  });
  return { proof, sent };
}

/** Proves the failure of `main.cjs`. */
async function proving(
  answer: (nth: number, request: AnalyzeRequest) => object,
  ports: Partial<ProvePorts<Pick<Incident, "report">>> = {},
) {
  const answers: object[] = [];
  const proof = await prove([process.execPath, "main.cjs"], {
    agent: {
      analyze: async (request) => {
        answers.push(answer(answers.length + 1, request));
        return { incident_id: `${answers.length}`, status: "queued", url: "" };
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
    program: { cwd: tree(), environment: { PATH: process.env.PATH } },
    ...{ withinMs: 86_400_000, signal: new AbortController().signal },
    ...ports,
  });
  return { proof };
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
  await write({ "main.cjs": code });
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
    program: { cwd: tree(), environment: { PATH: process.env.PATH } },
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

  it("sends the files of an undone change together with those in which something was seen", async () => {
    await commit("Begin", {
      "main.cjs": 'require("./one.cjs");\nrequire("./two.cjs");\n',
      "one.cjs": "",
      "two.cjs": "",
    });
    await write({ "one.cjs": 'globalThis.sum = () => {\n  throw new Error("gone");\n};\n', "two.cjs": "sum();\n" });
    const asked: string[][] = [];
    const watch = [{ file: "main.cjs", line: 1, function: null, starts: null }];
    await proving(() => ({ report: { candidates: [], watch_for: ["gone"], watch } }), {
      filesFor: async (_, seenIn) => {
        asked.push([...seenIn]);
        return [];
      },
    });
    expect(asked.at(-1)).toEqual(expect.arrayContaining(["one.cjs", "two.cjs"]));
  });

  it("watches a run although the program doesn't end without a change", async () => {
    await commit("Begin", { "main.cjs": "setInterval(() => undefined, 1_000);\n" });
    await write({ "main.cjs": code });
    const undone: Undoing[] = [];
    // The clock stands still, so each step has what is left of the whole time.
    const { proof } = await proving((nth) => reported(nth + 1), {
      ...{ clock: () => 0, withinMs: 10_000 },
      onUndone: (_, undoing) => undone.push(undoing),
    });
    expect(undone).toEqual([{ kind: "undecided", why: "the time is over" }]);
    expect(proof).toMatchObject({ kind: "reported" });
    expect(proof.kind === "reported" && proof.runs).toBeGreaterThan(1);
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
