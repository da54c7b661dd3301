import type { SourceContext } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import * as sdkLimits from "../sdk-limits.ts";
import { linesAround } from "./lines-around.ts";

/** A function's source as it waits to be sent, or to be sent again. */
interface Whole {
  readonly context: SourceContext;
  readonly bytes: number;
}

/**
 * Whole functions, each sent once: with the first event that shows a place in it. It stays that event's own, which may
 * be written several times, until that is known to be lost; later events say where the function is, without its lines.
 */
export class FunctionSources {
  /** By function, oldest first; {@link sdkLimits.functionsCachedBytesMax} in all. */
  readonly #wholes = new Map<string, Whole>();
  #bytes = 0;
  /** By function, oldest first: the number of the event that it goes with. */
  readonly #carriers = new Map<string, number>();

  /** The lines around a place of `file`. Those of its function are kept for the event that will carry them. */
  around(file: string, content: Buffer, line: number): SourceContext | undefined {
    const source = linesAround(content, line);
    const key = source && keyOf(file, source.near);
    if (key !== undefined && source?.whole && !this.#carriers.has(key)) this.#keep(key, source.whole);
    return source?.near;
  }

  /**
   * For the event numbered `seq`, by the context of each place of `shown`, nearest to the throw first, the one to send in
   * its stead: those of functions that no other event carries, as far as an event has room for them.
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

  /** The event of this number never leaves: the next one takes its functions. */
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

/** A place whose source an event shows. */
export interface ShownPlace {
  readonly file: string | undefined;
  readonly context: SourceContext;
}

function keyOf(file: string | undefined, { function: range }: SourceContext): string | undefined {
  return range && `${file}:${range.start_line}:${range.end_line}`;
}

/** The lines of both; they overlap, since a place is in its function. */
function joined(near: SourceContext, whole: SourceContext): SourceContext {
  const before = near.lines.slice(0, Math.max(0, whole.start_line - near.start_line));
  const after = near.lines.slice(Math.max(0, whole.start_line + whole.lines.length - near.start_line));
  const start = Math.min(near.start_line, whole.start_line);
  return { ...near, start_line: start, lines: [...before, ...whole.lines, ...after] };
}
