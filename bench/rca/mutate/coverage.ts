import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { App } from "./app.ts";
import { execute } from "./execute.ts";

/** Whether the code at a place ran; `offset` in characters, `line` from 1. */
export type Ran = (offset: number, line: number) => boolean;

const range = z.object({ startOffset: z.number(), endOffset: z.number(), count: z.number() });
const report = z.object({
  result: z.array(z.object({ url: z.string(), functions: z.array(z.object({ ranges: z.array(range) })) })),
});
const executedLines = z.record(z.string(), z.array(z.number()));

/** Runs the app once and returns what ran of each of its files, by the file's name relative to `/app`. */
export async function measureCoverage(app: App, folder: string): Promise<Map<string, Ran>> {
  const output = join(folder, "tmp", "coverage");
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  chmodSync(output, 0o777);
  if (app.language === "python") {
    const runner = join(import.meta.dirname, "operators/python/trace_lines.py");
    await execute(app, folder, { env: { TRACE_OUTPUT: join(output, "lines.json") }, runner });
  } else await execute(app, folder, { env: { NODE_V8_COVERAGE: output } });
  const reports = readdirSync(output).map((name): unknown => JSON.parse(readFileSync(join(output, name), "utf8")));
  return new Map(reports.flatMap((read) => (app.language === "python" ? linesOf(read) : rangesOf(read, folder))));
}

function linesOf(read: unknown): [string, Ran][] {
  return Object.entries(executedLines.parse(read)).map(([file, lines]) => {
    const ran = new Set(lines);
    return [file, (_, line) => ran.has(line)];
  });
}

function rangesOf(read: unknown, folder: string): [string, Ran][] {
  return report.parse(read).result.flatMap(({ url, functions }): [string, Ran][] => {
    if (!url.startsWith("file://")) return [];
    const name = relative(folder, fileURLToPath(url));
    if (name.startsWith("..")) return [];
    const ran = paint(functions.flatMap(({ ranges }) => ranges));
    return [[name, (offset) => ran[offset] === 1]];
  });
}

/** Marks the characters that ran; the shortest range that contains one decides. */
function paint(ranges: readonly z.infer<typeof range>[]): Uint8Array {
  const painted = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => endOffset)));
  const longestFirst = ranges.toSorted((left, right) => lengthOf(right) - lengthOf(left));
  for (const { startOffset, endOffset, count } of longestFirst) painted.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return painted;
}

const lengthOf = ({ startOffset, endOffset }: z.infer<typeof range>): number => endOffset - startOffset;
