import type { SentryProject } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import type { BatchFrame } from "../telemetry/batch-frame.ts";
import type { ItemOutcome } from "./item-outcome.ts";
import { sentryLimits } from "./sentry-limits.ts";
import { nameOfReport, type ReportedSessions, readSessions, sessionsMessages } from "./to-sessions.ts";

/** The sessions that one envelope reports, up to the limit. */
export class TakenSessions {
  readonly #report: string;
  readonly #reported: ReportedSessions[] = [];
  #count = 0;

  /** `sentAt` is the envelope's. */
  constructor(sentAt: string | undefined) {
    this.#report = nameOfReport(sentAt);
  }

  /** How many items are kept. */
  get items(): number {
    return this.#reported.length;
  }

  /** Takes an item. A page's key is public, and a page reports its own session, one at a time. */
  take(type: "session" | "sessions", payload: Buffer, isTrusted: boolean): ItemOutcome {
    if (type === "sessions" && !isTrusted) return "counted";
    const reported = readSessions(type, payload, this.#report);
    if (!reported) return "invalid";
    const count = reported.sessions.reduce((sum, { sessions }) => sum + sessions, 0);
    if (this.#count + count > sentryLimits.sessionsMax) return "over_limit";
    this.#count += count;
    if (count > 0) this.#reported.push(reported);
    return "stored";
  }

  /** Returns them as messages of the telemetry queue. */
  messages(project: SentryProject, frame: BatchFrame): readonly NewMessage[] {
    return sessionsMessages(this.#reported, project, frame);
  }
}
