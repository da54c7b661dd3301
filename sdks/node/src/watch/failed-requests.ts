import type { RequestContext } from "../core/request-context.ts";
import { readProperty } from "../runtime/read-property.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** The requests and jobs that reported an event last, by their method and path, or by their name. */
export class FailedRequests {
  /** By their names, the oldest first. */
  readonly #shapes = new Map<string, string>();

  add(context: RequestContext): void {
    const name = nameOf(context);
    this.#shapes.delete(name);
    this.#shapes.set(name, shapeOf(name));
    if (this.#shapes.size > sdkLimits.watchFailedMax) this.#shapes.delete([...this.#shapes.keys()][0] ?? "");
  }

  /** Whether the same request or job has failed. */
  has(context: RequestContext): boolean {
    return this.#shapes.has(nameOf(context));
  }

  /** Whether one has failed that differs only in segments with a number; also where none is known. */
  hasLike(context: RequestContext): boolean {
    const shape = shapeOf(nameOf(context));
    return this.#shapes.size === 0 || [...this.#shapes.values()].includes(shape);
  }
}

function nameOf({ incoming, attributes }: RequestContext): string {
  if (!incoming) return String(readProperty(attributes, "job") ?? "").slice(0, sdkLimits.watchFileCharactersMax);
  const url = incoming.originalUrl ?? incoming.url ?? "";
  const end = url.indexOf("?");
  return `${incoming.method} ${end < 0 ? url : url.slice(0, end)}`.slice(0, sdkLimits.watchFileCharactersMax);
}

/** Returns a name without what differs between two requests for the same kind of thing, in a time that its length bounds. */
function shapeOf(name: string): string {
  const segments = name.split("/").map((segment) => (/\d/.test(segment) ? "*" : segment));
  return segments.join("/");
}
