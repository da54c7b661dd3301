import { limits } from "@whence/protocol/limits";
import type { OnInternalError } from "../runtime/guard.ts";
import { detach, trimText } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { boundedRecord } from "./bounded-data.ts";
import type { Breadcrumb } from "./breadcrumbs.ts";
import type { EventRules } from "./event-rules.ts";
import { isLevel } from "./level.ts";
import type { LogMute } from "./log-mute.ts";
import type { OutgoingBreadcrumb } from "./outgoing-event.ts";
import type { Redaction } from "./redact.ts";

export interface BreadcrumbReviewParts {
  readonly rules: Pick<EventRules, "beforeBreadcrumb">;
  readonly redaction: Redaction;
  readonly logMute: LogMute;
  readonly onInternalError: OnInternalError;
}

/** Runs the program's `beforeBreadcrumb` hook. */
export class BreadcrumbReview {
  readonly #parts: BreadcrumbReviewParts;
  #isAsking = false;

  constructor(parts: BreadcrumbReviewParts) {
    this.#parts = parts;
  }

  /** Returns the breadcrumb to keep; undefined when it is dropped, and for breadcrumbs that the hook itself causes. */
  ask(breadcrumb: Breadcrumb): Breadcrumb | undefined {
    const { rules, logMute, onInternalError } = this.#parts;
    const { beforeBreadcrumb } = rules;
    if (!beforeBreadcrumb) return breadcrumb;
    if (this.#isAsking) return undefined;
    this.#isAsking = true;
    try {
      const returned: unknown = logMute.during(() => beforeBreadcrumb(shown(breadcrumb)));
      return returned === null ? undefined : this.#taken(breadcrumb, returned);
    } catch (error) {
      onInternalError(error);
      return breadcrumb;
    } finally {
      this.#isAsking = false;
    }
  }

  #taken(breadcrumb: Breadcrumb, returned: unknown): Breadcrumb {
    if (!isBreadcrumb(returned)) throw new TypeError("beforeBreadcrumb returned neither a breadcrumb nor null");
    const { category, level, message, data } = returned;
    return {
      ...breadcrumb,
      category: detach(trimText(category, limits.textLengthMax)),
      level: isLevel(level) ? level : undefined,
      message: message === undefined ? undefined : detach(trimText(message, sdkLimits.breadcrumbCharactersMax)),
      data: boundedRecord(data, sdkLimits.breadcrumbCharactersMax, this.#parts.redaction.data)?.data,
    };
  }
}

/** Returns a copy that the hook may change. */
function shown({ timestamp, category, level, message, data }: Breadcrumb): OutgoingBreadcrumb {
  return {
    timestamp: new Date(timestamp).toISOString(),
    category,
    level,
    message,
    data: data && structuredClone(data),
  };
}

function isBreadcrumb(value: unknown): value is OutgoingBreadcrumb {
  if (typeof value !== "object" || value === null || !("category" in value)) return false;
  const { category, message } = value as Readonly<Record<string, unknown>>;
  return typeof category === "string" && (message === undefined || typeof message === "string");
}
