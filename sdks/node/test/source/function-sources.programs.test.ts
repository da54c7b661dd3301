import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Frame } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { type Programs, preparePrograms } from "../equivalence-programs.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { runUntilSent } from "../next-start.ts";
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

/** Returns a function of this many lines, and bytes, that fails or calls the next one in the middle. */
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
  // Spread over the lines, so that none is cut for its length.
  for (let added = 0; added < missing; added++) lines[1 + (added % half)] += "x";
  return lines.join("\n");
}

async function fails(names: string, times: number, ending: string, node = "26"): Promise<void> {
  const args = [names, String(times), ending];
  const env = { WHENCE_ENDPOINT: gateway.url };
  const flags = ["--conditions=watched"];
  await runUntilSent(programs.folder, { runtime: runtimeNamed(node), file: "long-functions.mjs", args, flags, env });
}

/** Returns the function's frames in the errors that arrived. */
const frames = (name: string): (Frame | undefined)[] =>
  gateway.events("exception").map((event) => event.exceptions?.[0]?.frames?.find((frame) => frame.function === name));

/** Returns, for each error that arrived, whether the complete source of that function is there. */
const isWhole = (name: string): boolean[] =>
  frames(name).map((frame) => {
    const { start_line: start = 0, lines = [], function: range } = frame?.context ?? {};
    return range !== undefined && start <= range.start_line && start + lines.length > range.end_line;
  });

describe("the function around a frame", () => {
  it.each(["18", "26"])("is sent in full once, and later by its line numbers: Node %s", async (node) => {
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

  it("is sent with a crash at once", async () => {
    await fails("long", 0, "crashes");
    expect(isWhole("long")).toEqual([true]);
  });

  it("is sent up to 360 lines and 16,384 bytes; above that, only the lines around the frame are", async () => {
    await fails("mostLines,one,tooManyLines,tooManyBytes,long", 1, "");
    for (const name of ["mostLines", "one", "long"]) expect([name, isWhole(name)]).toEqual([name, [true]]);
    for (const name of ["tooManyLines", "tooManyBytes"]) {
      expect(frames(name)[0]?.context?.function).toBeUndefined();
      expect(frames(name)[0]?.context?.lines).toHaveLength(41);
    }
  });

  it("is sent with a later event when one already has 65,536 bytes of functions", async () => {
    await fails("five,four,three,two,one", 2, "");
    for (const name of ["one", "two", "three", "four"]) expect([name, isWhole(name)]).toEqual([name, [true, false]]);
    expect(isWhole("five")).toEqual([false, true]);
  });

  it("is sent with the next event when the program drops the first one", async () => {
    await fails("long", 3, "filters");
    expect(isWhole("long")).toEqual([true, false]);
  });

  it("is sent with the next event when the service rejects the first one", async () => {
    gateway.answers.push({ status: 202, body: '{"accepted":0,"rejected":[{"index":0}]}' });
    await fails("long", 2, "");
    expect(isWhole("long")).toEqual([true, true]);
  });

  it("is sent again with its event when the service was down", async () => {
    gateway.answers.push({ status: 503 });
    await fails("long", 2, "");
    expect(isWhole("long")).toEqual([true, false]);
    expect(gateway.posts.length).toBeGreaterThan(gateway.batches.length);
  });
});
