import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { linesAround } from "../../src/source/lines-around.ts";
import { SourceContexts } from "../../src/source/source-context.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-source-"));
  vi.spyOn(process, "argv", "get").mockReturnValue(["node", join(folder, "apps", "shop", "www")]);
  await mkdir(join(folder, "apps", "shop"), { recursive: true });
  for (const part of [".", "apps/shop"]) await writeFile(join(folder, part, "package.json"), "{}");
});
afterAll(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

const numbered = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n"));

describe("the lines around a frame", () => {
  it("are 20 before and 20 after", () => {
    const context = linesAround(numbered(100), 50)?.near;
    expect(context?.start_line).toBe(30);
    expect(context?.lines).toHaveLength(41);
    expect(context?.lines[20]).toBe("line 50");
  });

  it.each([
    [1, 1, 21],
    [20, 1, 40],
    [21, 1, 41],
    [22, 2, 41],
    [80, 60, 41],
    [81, 61, 40],
    [100, 80, 21],
  ])("of line %i of 100 start at %i and are %i", (line, start, count) => {
    const context = linesAround(numbered(100), line)?.near;
    expect([context?.start_line, context?.lines.length]).toEqual([start, count]);
    expect(context?.lines[line - start]).toBe(`line ${line}`);
  });

  it("are empty beyond the end of the file", () => {
    expect(linesAround(numbered(3), 4)).toBeUndefined();
    expect(linesAround(numbered(3), 400)).toBeUndefined();
  });

  it("are cut where a line is long, as in a bundle", () => {
    const context = linesAround(Buffer.from("x".repeat(10_000)), 1)?.near;
    expect(context?.lines[0]?.length).toBeLessThanOrEqual(sdkLimits.contextLineLengthMax);
  });

  it("are empty for files that aren't code, whatever a stack says, except for the program itself", async () => {
    const secret = join(folder, ".env");
    const [, main = ""] = process.argv;
    for (const file of [secret, main]) await writeFile(file, numbered(3));
    const frames = [secret, main].map((file) => ({ file, line: 2, in_app: true }));
    const sources = new SourceContexts();
    await sources.load(frames);
    expect(frames.map((frame) => sources.around(frame)?.lines.length)).toEqual([undefined, 3]);
  });

  it("are empty outside of the program's workspace, which a stack may name as well", async () => {
    const outside = `${folder}-outside.js`;
    const shared = join(folder, "shared.js");
    for (const file of [outside, shared]) await writeFile(file, numbered(3));
    const frames = [outside, shared].map((file) => ({ file, line: 2, in_app: true }));
    const sources = new SourceContexts();
    await sources.load(frames);
    await rm(outside);
    expect(frames.map((frame) => sources.around(frame)?.lines.length)).toEqual([undefined, 3]);
  });

  it("are read for the program's own files only, if they have a reasonable size", async () => {
    const small = join(folder, "small.js");
    const large = join(folder, "large.js");
    await writeFile(small, numbered(3));
    await writeFile(large, Buffer.alloc(sdkLimits.sourceFileBytesMax + 1, "\n"));
    const frames = [
      { file: small, line: 2, in_app: true },
      { file: small, line: 3, in_app: false },
      { file: large, line: 2, in_app: true },
      { file: join(folder, "absent.js"), line: 1, in_app: true },
      { file: "relative.js", line: 1, in_app: true },
    ];
    for (const load of ["load", "loadSync"] as const) {
      const sources = new SourceContexts();
      await sources[load](frames);
      expect(frames.map((frame) => sources.around(frame)?.lines.length)).toEqual([
        3,
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    }
  });
});
