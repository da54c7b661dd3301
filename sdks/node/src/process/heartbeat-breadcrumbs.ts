import type { Breadcrumb, Trail } from "../core/breadcrumbs.ts";
import { capStrings } from "../core/trim-event.ts";
import { toJson } from "../runtime/json.ts";
import { trimText } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";

/**
 * The newest breadcrumbs of the whole process, across requests. Heartbeats carry them, so that the last activity of a
 * killed process is known.
 *
 *     add ──► slot (added mod max), replacing the oldest     take ──► all of them; only calls in progress stay
 */
export class HeartbeatBreadcrumbs {
  #slots: Breadcrumb[] = [];
  #added = 0;

  add(breadcrumb: Breadcrumb): void {
    this.#slots[this.#added % sdkLimits.heartbeatBreadcrumbsMax] = breadcrumb;
    this.#added += 1;
  }

  /**
   * Returns the breadcrumbs since the last call, oldest first, and the calls that were in progress then. Texts are cut
   * to {@link sdkLimits.heartbeatTextCharactersMax}; the oldest are left out when the total is too long.
   */
  take(): Trail {
    const oldest = this.#added % Math.max(1, this.#slots.length);
    const added = [...this.#slots.slice(oldest), ...this.#slots.slice(0, oldest)];
    const kept = added.filter(({ isDropped }) => isDropped !== true);
    this.#slots = [];
    this.#added = 0;
    for (const breadcrumb of kept) if (!breadcrumb.settled) this.add(breadcrumb);
    return { breadcrumbs: newestThatFit(kept) };
  }
}

function newestThatFit(kept: readonly Breadcrumb[]): Breadcrumb[] {
  const fitting: Breadcrumb[] = [];
  let characters = 0;
  for (const breadcrumb of [...kept].reverse()) {
    const short = shortened(breadcrumb);
    characters += toJson(short).length;
    if (fitting.length > 0 && characters > sdkLimits.heartbeatBreadcrumbsCharactersMax) break;
    fitting.unshift(short);
  }
  return fitting;
}

/** Returns a copy, so that a call that ends later doesn't change this heartbeat. */
function shortened(breadcrumb: Breadcrumb): Breadcrumb {
  const { category, message, data } = breadcrumb;
  const shorten = (text: string): string => trimText(text, sdkLimits.heartbeatTextCharactersMax);
  return {
    ...breadcrumb,
    category: shorten(category),
    message: message === undefined ? undefined : shorten(message),
    data:
      data &&
      Object.fromEntries(
        Object.entries(data).map(([key, value]) => [key, capStrings(value, sdkLimits.heartbeatTextCharactersMax)]),
      ),
  };
}
