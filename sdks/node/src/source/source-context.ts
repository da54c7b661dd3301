import { isAbsolute } from "node:path";
import type { Frame, SourceContext } from "@whence/protocol";
import type { Thrown } from "../core/cause-chain.ts";
import type { NumberedEvent } from "../core/event.ts";
import type { Calls } from "../core/stack.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { FunctionSources, type ShownPlace } from "./function-sources.ts";
import { MappedStacks } from "./mapped-stacks.ts";
import { contentOf, readFiles, readFilesSync } from "./on-disk.ts";
import { isProgramFile } from "./program-files.ts";

/** The part of an event with stacks. */
type Shown = Pick<NumberedEvent, "thrown">;
type Sent = Pick<NumberedEvent, "thrown" | "seq">;

/** The mapped view of a chain of stacks. */
interface View {
  readonly chain: readonly Calls[];
  /** Frames with source lines. */
  readonly shown: readonly Frame[];
  /** The frames of each stack with their source, and its places. Created when the lines have been loaded. */
  lists?: readonly (readonly Frame[])[];
  places?: readonly ShownPlace[];
}

/** The source of stacks: places mapped to the original code, and the lines around them, read from disk once. */
export class SourceContexts {
  readonly #functions = new FunctionSources();
  readonly #stacks = new MappedStacks(this.#functions);
  /** By place, oldest first; undefined for a file that can't be read or is too large. */
  readonly #known = new Map<string, SourceContext | undefined>();
  /** By the first stack of a chain, while one batch is being created. */
  readonly #views = new Map<Calls, View>();

  /** Returns the calls mapped by their source maps, if they were prepared. */
  mapped(calls: Calls): Calls {
    return this.#stacks.of(calls);
  }

  /** Returns the lines around a frame that were loaded before. */
  around(frame: Frame): SourceContext | undefined {
    return this.#stacks.contextOf(frame) ?? this.#known.get(`${frame.file}:${frame.line}`);
  }

  /** Maps the stacks of `events`, and loads the lines around the frames of `shown`. Never rejects. */
  async prepare(events: readonly Shown[], shown: Iterable<Shown>): Promise<void> {
    this.#views.clear();
    await this.#stacks.load(callsOf(events));
    for (const { thrown = [] } of shown) await this.load(this.#viewOf(thrown).shown);
  }

  /**
   * Does what {@link prepare} does, synchronously: blocks for the disk reads of `events`, and those of `others` while
   * `isInTime`.
   */
  prepareSync(events: readonly Shown[], others: readonly Shown[], isInTime: () => boolean): void {
    this.#views.clear();
    this.#stacks.loadSync(callsOf(events), callsOf(others), isInTime);
    for (const { thrown = [] } of events) this.loadSync(this.#viewOf(thrown).shown);
    for (const { thrown = [] } of others) if (isInTime()) this.loadSync(this.#viewOf(thrown).shown);
  }

  /**
   * Returns the frames of each error of an event, with the lines around the selected ones, and with the whole function
   * where no other event carries it.
   */
  framesWithSource({ seq, thrown = [] }: Sent): readonly (readonly Frame[])[] {
    const view = this.#viewOf(thrown);
    view.lists ??= this.#withContexts(view);
    view.places ??= view.shown.flatMap((frame) => {
      const context = this.around(frame);
      return context ? [{ file: frame.file, context }] : [];
    });
    const carried = this.#functions.carriedBy(seq, view.places);
    return carried.size === 0 ? view.lists : view.lists.map((frames) => withFunctions(frames, carried));
  }

  /** Called when the event with this number is lost. */
  readonly lost = (seq: number): void => this.#functions.lost(seq);

  /** Returns the view of a chain, computed once: the errors of a burst share it. */
  #viewOf(thrown: readonly Thrown[]): View {
    const chain = thrown.map(({ stack }) => this.mapped(stack.calls));
    const [first] = chain;
    const known = first && this.#views.get(first);
    if (known && isSameList(known.chain, chain)) return known;
    const view: View = { chain, shown: framesToShow(chain) };
    if (first) this.#views.set(first, view);
    return view;
  }

  #withContexts({ chain, shown }: View): readonly (readonly Frame[])[] {
    const visible = new Set(shown);
    return chain.map(({ frames }) => {
      // The same list when there is nothing to add.
      if (!frames.some((frame) => visible.has(frame))) return frames;
      const seen = frames.map((frame) => {
        const context = visible.has(frame) ? this.around(frame) : undefined;
        return context === undefined ? frame : { ...frame, context };
      });
      // Frozen, so that its JSON can be cached.
      return Object.freeze(seen);
    });
  }

  /** Loads the lines around the frames of the program's own code. Never rejects. */
  async load(frames: readonly Frame[]): Promise<void> {
    for (const [file, lines] of this.#missing(frames)) {
      const content = await readFiles(contentOf(file, sdkLimits.sourceFileBytesMax));
      for (const line of lines) this.#keep(file, line, content);
    }
  }

  /** Does what {@link load} does, synchronously. */
  loadSync(frames: readonly Frame[]): void {
    for (const [file, lines] of this.#missing(frames)) {
      const content = readFilesSync(contentOf(file, sdkLimits.sourceFileBytesMax));
      for (const line of lines) this.#keep(file, line, content);
    }
  }

  #missing(frames: readonly Frame[]): Map<string, Set<number>> {
    const missing = new Map<string, Set<number>>();
    for (const frame of frames) {
      const { file, line, in_app, generated } = frame;
      if (!in_app || file === undefined || line === undefined || line === 0 || !isAbsolute(file)) continue;
      if (!isProgramFile(file) || (generated && this.#stacks.contextOf(frame))) continue;
      if (this.#known.has(`${file}:${line}`)) continue;
      missing.set(file, (missing.get(file) ?? new Set()).add(line));
    }
    return missing;
  }

  #keep(file: string, line: number, content: Buffer | undefined): void {
    if (this.#known.size >= sdkLimits.contextsCachedMax) this.#known.delete(this.#known.keys().next().value ?? "");
    this.#known.set(`${file}:${line}`, content && this.#functions.around(file, content, line));
  }
}

/**
 * Returns the frames whose source an event carries: each place once, those nearest to a throw first, since that is
 * where the cause is likely.
 */
function framesToShow(chain: readonly Calls[]): readonly Frame[] {
  const places = new Map<string, Frame>();
  const deepest = Math.max(0, ...chain.map(({ frames }) => frames.length));
  for (let depth = 0; depth < deepest; depth++) {
    for (const { frames } of chain) {
      const frame = frames[depth];
      if (!frame?.in_app) continue;
      const place = `${frame.file}:${frame.line}`;
      if (!places.has(place)) places.set(place, frame);
      if (places.size === sdkLimits.contextsPerEventMax) return [...places.values()];
    }
  }
  return [...places.values()];
}

function withFunctions(frames: readonly Frame[], carried: ReadonlyMap<SourceContext, SourceContext>): readonly Frame[] {
  return frames.map((frame) => {
    const whole = frame.context && carried.get(frame.context);
    return whole ? { ...frame, context: whole } : frame;
  });
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function callsOf(events: readonly Shown[]): Calls[] {
  return events.flatMap(({ thrown = [] }) => thrown.map(({ stack }) => stack.calls));
}
