import { readFileSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Frame, SourceContext } from "@whence/protocol";
import type { NumberedEvent } from "./event.ts";
import { linesAround } from "./lines-around.ts";
import { MappedStacks } from "./mapped-stacks.ts";
import { sdkLimits } from "./sdk-limits.ts";
import type { Calls } from "./stack.ts";
import type { Thrown } from "./thrown.ts";

/** Files that a map may name as a source. One that names another is wrong, or wants to see what it must not. */
const sourceFile = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx|coffee)$/i;

/** What there is to show of an event. */
type Shown = Pick<NumberedEvent, "thrown">;

/** The source behind stacks: places mapped to what was compiled, and the lines around them, read from disk once. */
export class SourceContexts {
  readonly #stacks = new MappedStacks();
  /** By place, oldest first; undefined for a file that can't be read or is too large. */
  readonly #known = new Map<string, SourceContext | undefined>();

  /** The calls as their source maps have them, if they were prepared. */
  mapped(calls: Calls): Calls {
    return this.#stacks.of(calls);
  }

  /** The lines around a frame that were loaded before. */
  around(frame: Frame): SourceContext | undefined {
    return this.#stacks.contextOf(frame) ?? this.#known.get(`${frame.file}:${frame.line}`);
  }

  /** Maps the stacks of `events`, and loads the lines around the frames of those that show them. Never rejects. */
  async prepare(events: readonly Shown[], shown: Iterable<Shown>): Promise<void> {
    await this.#stacks.load(callsOf(events));
    for (const { thrown = [] } of shown) await this.load(this.framesShown(thrown));
  }

  /** {@link prepare} for a process that has no time to wait: blocks for as long as the disk takes. */
  prepareNow(events: readonly Shown[]): void {
    this.#stacks.loadNow(callsOf(events));
    this.loadNow(events.flatMap(({ thrown = [] }) => this.framesShown(thrown)));
  }

  /**
   * The frames of a chain whose source an event carries: each place once, those nearest to a throw first, since that is
   * where a cause is looked for.
   */
  framesShown(thrown: readonly Thrown[]): Frame[] {
    const places = new Map<string, Frame>();
    const stacks = thrown.map(({ stack }) => this.mapped(stack.calls).frames);
    const deepest = Math.max(0, ...stacks.map((frames) => frames.length));
    for (let depth = 0; depth < deepest; depth++) {
      for (const frames of stacks) {
        const frame = frames[depth];
        if (!frame?.in_app) continue;
        if (!places.has(`${frame.file}:${frame.line}`)) places.set(`${frame.file}:${frame.line}`, frame);
        if (places.size === sdkLimits.contextsPerEventMax) return [...places.values()];
      }
    }
    return [...places.values()];
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
    for (const frame of frames) {
      const { file, line, in_app, generated } = frame;
      if (!in_app || file === undefined || line === undefined || line === 0 || !isAbsolute(file)) continue;
      if (generated && (!sourceFile.test(file) || this.#stacks.contextOf(frame))) continue;
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

function callsOf(events: readonly Shown[]): Calls[] {
  return events.flatMap(({ thrown = [] }) => thrown.map(({ stack }) => stack.calls));
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
