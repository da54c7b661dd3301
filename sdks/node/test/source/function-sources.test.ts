import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Frame } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { type Programs, preparePrograms, run } from "../equivalence-programs.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { runtimeNamed } from "../runtimes.ts";

let programs: Programs;
let gateway: TestGateway;

beforeAll(async () => {
  programs = await preparePrograms();
  const code = [
    functionOf("long", 100),
    functionOf("mostLines", sdkLimits.functionLinesMax),
    functionOf("tooManyLines", sdkLimits.functionLinesMax + 1),
    ...["one", "two", "three", "four", "five"].map((name) => functionOf(name, 200, limits.functionBytesMax)),
    functionOf("tooManyBytes", 200, limits.functionBytesMax + 1),
  ];
  await writeFile(join(programs.folder, "generated-functions.mjs"), code.join("\n\n"));
});
beforeEach(async () => {
  gateway = await startGateway();
  return () => gateway.close();
});
afterAll(() => programs.remove());

/** A function of so many lines, and bytes, that fails or calls on in the middle. */
function functionOf(name: string, lineCount: number, bytes?: number): string {
  const filler = (count: number) => Array.from({ length: count }, (_, index) => `  // line ${index} of ${name}`);
  const half = Math.floor((lineCount - 4) / 2);
  const lines = [
    `export function ${name}(next, isLast) {`,
    ...filler(half),
    `  if (isLast) throw new Error("${name}");`,
    "  next();",
    ...filler(lineCount - 4 - half),
    "}",
  ];
  const missing = (bytes ?? 0) - Buffer.byteLength(lines.join("\n"));
  // Spread, so that no line is cut for its length.
  for (let added = 0; added < missing; added++) lines[1 + (added % half)] += "x";
  return lines.join("\n");
}

async function fails(names: string, times: number, ending: string, node = "26"): Promise<void> {
  const args = [names, String(times), ending];
  const env = { WHENCE_ENDPOINT: gateway.url };
  const flags = ["--conditions=watched"];
  await run(programs.folder, { runtime: runtimeNamed(node), file: "long-functions.mjs", args, flags, env });
}

/** The frames of each error that arrived, by the function. */
const frames = (name: string): (Frame | undefined)[] =>
  gateway.events("exception").map((event) => event.exceptions?.[0]?.frames?.find((frame) => frame.function === name));

/** Of each error that arrived: whether the source of that function is there, as a whole. */
const isWhole = (name: string): boolean[] =>
  frames(name).map((frame) => {
    const { start_line: start = 0, lines = [], function: range } = frame?.context ?? {};
    return range !== undefined && start <= range.start_line && start + lines.length > range.end_line;
  });

describe("the function around a frame", () => {
  it.each(["18", "26"])("is sent whole once, and named by its lines from then on: Node %s", async (node) => {
    await fails("long", 2, "crashes", node);
    expect(isWhole("long")).toEqual([true, false, false]);
    const [first, second, crash] = frames("long");
    expect(first?.context?.function).toEqual({ start_line: 1, end_line: 100 });
    expect(first?.context?.lines[0]).toBe("export function long(next, isLast) {");
    expect(first?.context?.lines[99]).toBe("}");
    for (const later of [second, crash]) {
      expect(later?.context?.function).toEqual(first?.context?.function);
      expect(later?.context?.lines).toEqual(first?.context?.lines.slice(29, 70));
    }
  });

  it("comes with a crash at once", async () => {
    await fails("long", 0, "crashes");
    expect(isWhole("long")).toEqual([true]);
  });

  it("is sent up to 360 lines and 16,384 bytes; beyond that the lines around the frame alone", async () => {
    await fails("mostLines,one,tooManyLines,tooManyBytes,long", 1, "");
    for (const name of ["mostLines", "one", "long"]) expect([name, isWhole(name)]).toEqual([name, [true]]);
    for (const name of ["tooManyLines", "tooManyBytes"]) {
      expect(frames(name)[0]?.context?.function).toBeUndefined();
      expect(frames(name)[0]?.context?.lines).toHaveLength(41);
    }
  });

  it("comes with a later event when one has 65,536 bytes of functions already", async () => {
    await fails("five,four,three,two,one", 2, "");
    for (const name of ["one", "two", "three", "four"]) expect([name, isWhole(name)]).toEqual([name, [true, false]]);
    expect(isWhole("five")).toEqual([false, true]);
  });

  it("comes with the next event when the program keeps the first one back", async () => {
    await fails("long", 3, "filters");
    expect(isWhole("long")).toEqual([true, false]);
  });

  it("comes with the next event when the service refuses the first one for good", async () => {
    gateway.answers.push({ status: 202, body: '{"accepted":0,"rejected":[{"index":0}]}' });
    await fails("long", 2, "");
    expect(isWhole("long")).toEqual([true, true]);
  });

  it("is sent again with its event when the service was away", async () => {
    gateway.answers.push({ status: 503 });
    await fails("long", 2, "");
    expect(isWhole("long")).toEqual([true, false]);
    expect(gateway.posts.length).toBeGreaterThan(gateway.batches.length);
  });
});
