import { eventTime, hourMs, type SentryProject } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import type { BatchFrame } from "../telemetry/batch-frame.ts";
import type { ItemOutcome } from "./item-outcome.ts";
import type { ReleaseAllowance } from "./release-allowance.ts";
import { sentryLimits } from "./sentry-limits.ts";
import { nameOfReport, type ReportedSessions, readSessions, sessionsMessages } from "./to-sessions.ts";

/** Whose sessions an envelope reports, and which of them count. */
export interface SessionsFrame {
  readonly project: SentryProject;
  readonly frame: BatchFrame;
  readonly releases: Pick<ReleaseAllowance, "takes">;
}

/** The sessions that one envelope reports, up to the limits. */
export class TakenSessions {
  readonly #of: SessionsFrame;
  readonly #report: string;
  readonly #reported: ReportedSessions[] = [];
  #count = 0;

  /** `sentAt` is the envelope's. */
  constructor(sentAt: string | undefined, of: SessionsFrame) {
    this.#report = nameOfReport(sentAt);
    this.#of = of;
  }

  /** How many items are kept. */
  get items(): number {
    return this.#reported.length;
  }

  /** Takes an item. */
  take(type: "session" | "sessions", payload: Buffer): ItemOutcome {
    const { project, frame, releases } = this.#of;
    const reported = readSessions(type, payload, { project, report: this.#report });
    if (!reported) return "invalid";
    const count = reported.sessions.reduce((sum, { sessions }) => sum + sessions, 0);
    if (count === 0) return "stored";
    if (this.#count + count > sentryLimits.sessionsMax) return "over_limit";
    const hours = hoursOf(reported, Date.parse(frame.receivedAt));
    if (!releases.takes({ scopeId: frame.scopeId, projectId: project.id }, reported, hours)) return "over_limit";
    this.#count += count;
    this.#reported.push(reported);
    return "stored";
  }

  /** Returns them as messages of the telemetry queue. */
  messages(): readonly NewMessage[] {
    return sessionsMessages(this.#reported, this.#of);
  }
}

/** Returns the hours since 1970 in which sessions are stored. */
function hoursOf({ sessions }: ReportedSessions, receivedAtMs: number): ReadonlySet<number> {
  return new Set(sessions.map(({ at }) => Math.floor(eventTime(at, receivedAtMs) / hourMs)));
}
