import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { watchedRunLimits } from "@whence/protocol";
import { expect, it } from "vitest";
import { readRun } from "../src/prove/read-run.ts";
import type { WrittenHit, WrittenPart } from "../src/watch/node/written-hits.ts";
import { temporaryFolder } from "./whence-command.ts";

const call = { file: "/app/a.js", line: 2, function: "a", starts: 1 };
const stop = (ms: number): WrittenHit => ({
  ...{ ...call, kind: "reached", nth: ms, at_ms: ms, values: {}, callers: [] },
});
const place = { ...call, file: "a.js" };

it("keeps the stops of the process that failed before those of others that ran longer", async () => {
  const temporary = await temporaryFolder();
  try {
    const write = (thread: string, hits: readonly WrittenHit[]) => {
      const part: WrittenPart = { thread, places: [], files: [], hits };
      return writeFile(join(temporary.path, `${thread}.jsonl`), `${JSON.stringify(part)}\n`);
    };
    const threw: WrittenHit = { ...stop(4), kind: "threw", nth: 0, error: "AssertionError: 1 != 2" };
    await write("1-0", [stop(1), stop(2), stop(3), threw]);
    await write(
      "2-0",
      Array.from({ length: 2 * watchedRunLimits.hitsPerRunMax }, (_, index) => stop(10 + index)),
    );
    const run = { run: 2, places: [place], failures: ["1 != 2"] };
    const { watched } = await readRun(temporary.path, run, (path) => path.slice("/app/".length));
    const failed = watched.hits.filter(({ thread }) => thread === "1-0");
    expect(failed.map(({ at_ms: ms }) => ms)).toEqual([1, 2, 3, 4]);
    expect(watched.hits).toHaveLength(watchedRunLimits.hitsPerRunMax);
  } finally {
    await temporary.remove();
  }
});

it("sends what the failing process's test ran, without the tests", async () => {
  const temporary = await temporaryFolder();
  try {
    const one = { function: "net", starts: 3, failed: 0, passed: 1 };
    const ran = (...files: string[]) => ({ failed: 0, passed: 2, functions: files.map((file) => ({ ...one, file })) });
    const write = (thread: string, error: string, files: readonly string[]) => {
      const threw: WrittenHit = { ...stop(4), kind: "threw", nth: 0, error };
      const part: WrittenPart = { thread, places: [], files: [], hits: [threw], ran: ran(...files) };
      return writeFile(join(temporary.path, `${thread}.jsonl`), `${JSON.stringify(part)}\n`);
    };
    await write("1-0", "AssertionError: 1 != 2", ["/app/totals.js", "/app/test/totals.test.js"]);
    await write("2-0", "AssertionError: true", ["/app/labels.js"]);
    const run = { run: 2, places: [place], failures: ["1 != 2"] };
    const { watched } = await readRun(temporary.path, run, (path) => path.slice("/app/".length));
    expect(watched.ran).toEqual(ran("totals.js"));
  } finally {
    await temporary.remove();
  }
});

it("counts the tests of other processes that ran a function", async () => {
  const temporary = await temporaryFolder();
  try {
    const net = { file: "/app/totals.js", function: "net", starts: 3 };
    const write = (part: Pick<WrittenPart, "thread"> & Partial<WrittenPart>) =>
      appendFile(
        join(temporary.path, `${part.thread}.jsonl`),
        `${JSON.stringify({ places: [], files: [], hits: [], ...part })}\n`,
      );
    const threw: WrittenHit = { ...stop(4), kind: "threw", nth: 0, error: "AssertionError: 1 != 2" };
    const own = { failed: 0, passed: 2, functions: [{ ...net, failed: 0, passed: 0 }] };
    const group = (errors: readonly string[], count: number) => ({ errors, count, functions: [{ ...net, count }] });
    await write({ thread: "1-0", hits: [threw], ran: own, tests: [group(["AssertionError"], 1), group([], 2)] });
    await write({ thread: "2-0", tests: [group([], 1)] });
    await write({ thread: "2-0", tests: [group([], 2), group(["TypeError", "AssertionError"], 1)] });
    const run = { run: 2, places: [place], failures: ["1 != 2"] };
    const { watched } = await readRun(temporary.path, run, (path) => path.slice("/app/".length));
    expect(watched.ran).toMatchObject({ failed: 1, passed: 4, functions: [{ failed: 1, passed: 2 }] });
  } finally {
    await temporary.remove();
  }
});
