import type { RequestContext } from "../core/request-context.ts";
import { readProperty } from "../runtime/read-property.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** What differs between two requests for the same kind of thing. */
const segmentWithNumber = /[^/]*\d[^/]*/g;

/** The requests and jobs that reported an event last, by their method and path, or by their name. */
export class FailedRequests {
  readonly #names = new Set<string>();

  add(context: RequestContext): void {
    const name = nameOf(context);
    // The oldest comes first.
    this.#names.delete(name);
    this.#names.add(name);
    if (this.#names.size > sdkLimits.watchFailedMax) this.#names.delete([...this.#names][0] ?? "");
  }

  /** Whether the same request or job has failed. */
  has(context: RequestContext): boolean {
    return this.#names.has(nameOf(context));
  }

  /** Whether one has failed that differs only in segments with a number; also where none is known. */
  hasLike(context: RequestContext): boolean {
    const shape = shapeOf(nameOf(context));
    return this.#names.size === 0 || [...this.#names].some((name) => shapeOf(name) === shape);
  }
}

function nameOf({ incoming, attributes }: RequestContext): string {
  if (!incoming) return String(readProperty(attributes, "job") ?? "").slice(0, sdkLimits.watchFileCharactersMax);
  const url = incoming.originalUrl ?? incoming.url ?? "";
  const end = url.indexOf("?");
  return `${incoming.method} ${end < 0 ? url : url.slice(0, end)}`.slice(0, sdkLimits.watchFileCharactersMax);
}

function shapeOf(name: string): string {
  return name.replace(segmentWithNumber, "*");
}
