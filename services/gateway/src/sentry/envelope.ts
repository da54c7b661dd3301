import type { SentryProject } from "@whence/protocol";
import { sentryLimits } from "./sentry-limits.ts";

/** One item of an envelope, such as an event or a session. */
export interface EnvelopeItem {
  readonly type: string;
  /** Empty for a {@link isReadType type} that isn't read, and for one that is too large. */
  readonly payload: Buffer;
  /** Whether it is of a type that is read, but too large to be. */
  readonly isTooLarge: boolean;
}

/** What a client of Sentry's sends at once. */
export interface Envelope {
  readonly eventId: string | undefined;
  readonly dsn: string | undefined;
  /** When the client sent it, by its own clock and in its own format. */
  readonly sentAt: string | undefined;
  readonly items: readonly EnvelopeItem[];
}

/** Types whose items are read. */
const readTypes: ReadonlySet<string> = new Set(["event", "client_report", "session"]);

/** Types whose items are read, unless they come from a page. */
const serversTypes: ReadonlySet<string> = new Set(["check_in", "transaction", "span", "sessions"]);

/**
 * Whether items of a type are read. A page's key is public, and a page reports its own session: anyone could report runs
 * of jobs and sessions of others with it, or use up the allowance of spans.
 */
export function isReadType(type: string, isPage: boolean): boolean {
  return readTypes.has(type) || (!isPage && serversTypes.has(type));
}

/** Returns how many bytes an item of a type may have to be read. */
export function itemBytesMaxOf(type: string): number {
  return type === "span" ? sentryLimits.spanItemBytesMax : sentryLimits.itemBytesMax;
}

/** Whether what a project's key sends may come from pages. */
export function sendsFromPages({ origins }: SentryProject): boolean {
  return origins.length > 0;
}
