import type { SourceContext } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import * as sdkLimits from "../sdk-limits.ts";
import { linesAround } from "./lines-around.ts";

/** A function's source that is waiting to be sent, or sent again. */
interface Whole {
  readonly context: SourceContext;
  readonly bytes: number;
}

/**
 * Complete functions, each sent once: with the first event that shows a place in it. That event keeps it, however often
 * it is written, until it is known to be lost; later events only have the function's line numbers.
 */
export class FunctionSources {
  /** By function, oldest first; at most {@link sdkLimits.functionsCachedBytesMax} in total. */
  readonly #wholes = new Map<string, Whole>();
  #bytes = 0;
  /** The number of the event that carries each function, by function, oldest first. */
  readonly #carriers = new Map<string, number>();

  /** Returns the lines around a place of `file`, and keeps its whole function for the event that will carry it. */
  around(file: string, content: Buffer, line: number): SourceContext | undefined {
    const source = linesAround(content, line);
    const key = source && keyOf(file, source.near);
    if (key !== undefined && source?.whole && !this.#carriers.has(key)) this.#keep(key, source.whole);
    return source?.near;
  }

  /**
   * Returns what to send in place of each context of `shown`, nearest to the throw first, for the event numbered `seq`:
   * functions that no other event carries, while there is room in the event.
   */
  carriedBy(seq: number, shown: readonly ShownPlace[]): ReadonlyMap<SourceContext, SourceContext> {
    const carried = new Map<SourceContext, SourceContext>();
    const seen = new Set<string>();
    let room: number = limits.functionBytesPerEventMax;
    for (const { file, context } of shown) {
      const key = keyOf(file, context);
      const whole = key === undefined || seen.has(key) ? undefined : this.#wholes.get(key);
      if (key === undefined || !whole || whole.bytes > room) continue;
      if ((this.#carriers.get(key) ?? seq) !== seq) continue;
      seen.add(key);
      room -= whole.bytes;
      this.#carry(key, seq);
      carried.set(context, joined(context, whole.context));
    }
    return carried;
  }

  /** Called when the event with this number is lost: the next one carries its functions. */
  lost(seq: number): void {
    for (const [key, carrier] of this.#carriers) if (carrier === seq) this.#carriers.delete(key);
  }

  #keep(key: string, context: SourceContext): void {
    if (this.#wholes.has(key)) return;
    const bytes = Buffer.byteLength(context.lines.join("\n"));
    this.#wholes.set(key, { context, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes: held }] of this.#wholes) {
      if (this.#bytes <= sdkLimits.functionsCachedBytesMax) break;
      this.#wholes.delete(oldest);
      this.#bytes -= held;
    }
  }

  #carry(key: string, seq: number): void {
    if (this.#carriers.size >= sdkLimits.functionsSentMax && !this.#carriers.has(key)) {
      this.#carriers.delete(this.#carriers.keys().next().value ?? "");
    }
    this.#carriers.set(key, seq);
  }
}

/** A place whose source is in an event. */
export interface ShownPlace {
  readonly file: string | undefined;
  readonly context: SourceContext;
}

function keyOf(file: string | undefined, { function: range }: SourceContext): string | undefined {
  return range && `${file}:${range.start_line}:${range.end_line}`;
}

/** Joins the lines of both, which overlap, since a place is in its function. */
function joined(near: SourceContext, whole: SourceContext): SourceContext {
  const before = near.lines.slice(0, Math.max(0, whole.start_line - near.start_line));
  const after = near.lines.slice(Math.max(0, whole.start_line + whole.lines.length - near.start_line));
  const start = Math.min(near.start_line, whole.start_line);
  return { ...near, start_line: start, lines: [...before, ...whole.lines, ...after] };
}
