import { readFileSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Frame, SourceContext } from "@whence/protocol";
import { sdkLimits } from "./sdk-limits.ts";
import { trimText } from "./text.ts";

const lineBreak = 0x0a;

/** The lines around places in the program's own files, read from disk once and kept while there is room. */
export class SourceContexts {
  /** By place, oldest first; undefined for a file that can't be read or is too large. */
  readonly #known = new Map<string, SourceContext | undefined>();

  /** The lines around a frame that were loaded before. */
  around({ file, line }: Frame): SourceContext | undefined {
    return this.#known.get(`${file}:${line}`);
  }

  /** Loads the lines around the frames of the program's own code. Never rejects. */
  async load(frames: readonly Frame[]): Promise<void> {
    for (const [file, lines] of this.#missing(frames)) {
      const content = await readSource(file);
      for (const line of lines) this.#keep(file, line, content);
    }
  }

  /** {@link load} for a process that has no time to wait: blocks for as long as the disk takes. */
  loadNow(frames: readonly Frame[]): void {
    for (const [file, lines] of this.#missing(frames)) {
      const content = readSourceNow(file);
      for (const line of lines) this.#keep(file, line, content);
    }
  }

  #missing(frames: readonly Frame[]): Map<string, Set<number>> {
    const missing = new Map<string, Set<number>>();
    for (const { file, line, in_app } of frames) {
      if (!in_app || file === undefined || line === undefined || line === 0 || !isAbsolute(file)) continue;
      if (this.#known.has(`${file}:${line}`)) continue;
      missing.set(file, (missing.get(file) ?? new Set()).add(line));
    }
    return missing;
  }

  #keep(file: string, line: number, content: Buffer | undefined): void {
    if (this.#known.size >= sdkLimits.contextsCachedMax) this.#known.delete(this.#known.keys().next().value ?? "");
    this.#known.set(`${file}:${line}`, content && linesAround(content, line));
  }
}

/** The lines around the 1-based `line`; undefined when the file ends before it. */
export function linesAround(content: Buffer, line: number): SourceContext | undefined {
  const first = Math.max(1, line - sdkLimits.contextLinesAround);
  const start = lineStart(content, 0, first - 1);
  if (start === -1) return undefined;
  const end = lineStart(content, start, line + sdkLimits.contextLinesAround - first + 1);
  const lines = content.toString("utf8", start, end === -1 ? content.length : end - 1).split(/\r?\n/);
  if (lines.length <= line - first) return undefined;
  return { start_line: first, lines: lines.map((text) => trimText(text, sdkLimits.contextLineLengthMax)) };
}

/** Where the line begins that is `lines` further; -1 beyond the end. */
function lineStart(content: Buffer, from: number, lines: number): number {
  let start = from;
  for (let skipped = 0; skipped < lines; skipped++) {
    const end = content.indexOf(lineBreak, start);
    if (end === -1) return -1;
    start = end + 1;
  }
  return start;
}

async function readSource(file: string): Promise<Buffer | undefined> {
  const { readFile, stat } = await import("node:fs/promises");
  try {
    const { size } = await stat(file);
    return size > sdkLimits.sourceFileBytesMax ? undefined : await readFile(file);
  } catch {
    // Code that came from elsewhere than the disk (a bundle's virtual path, a deleted file) has no lines to show.
    return undefined;
  }
}

function readSourceNow(file: string): Buffer | undefined {
  try {
    return statSync(file).size > sdkLimits.sourceFileBytesMax ? undefined : readFileSync(file);
  } catch {
    // As above.
    return undefined;
  }
}
