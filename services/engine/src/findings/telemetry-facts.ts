import type { Category, Impact, Location, OutsideFinding, VitalReading } from "@whence/protocol";
import type { ExitKind, ExitReason } from "../process-exit/assess.ts";
import type { Alert, LogRecord, OutgoingCall } from "./findings.ts";
import type { LastChange, ReleaseChange, ReleaseComparison } from "./release-change.ts";

/** What collectors found. */
export type Fact =
  | { readonly kind: "totals"; readonly impact: Omit<Impact, "summary"> }
  | { readonly kind: "answers"; readonly service: string; readonly minutes: readonly AnsweredMinute[] }
  | { readonly kind: "rate"; readonly rate: RateFact }
  | { readonly kind: "related-failure"; readonly failure: RelatedFailure }
  | { readonly kind: "earlier-failure"; readonly at: string; readonly message: string; readonly sameFailure: boolean }
  | { readonly kind: "deploy"; readonly deploy: DeployFact }
  | { readonly kind: "comparison"; readonly comparison: ReleaseComparison }
  | { readonly kind: "change"; readonly change: ReleaseChange }
  | { readonly kind: "last-change"; readonly lastChange: LastChange }
  | { readonly kind: "concentration"; readonly concentration: Concentration }
  | { readonly kind: "failing-calls"; readonly calls: FailingCalls }
  | { readonly kind: "process-state"; readonly state: ProcessState }
  | { readonly kind: "similar-incident"; readonly similar: SimilarIncident }
  | { readonly kind: "last-heartbeat"; readonly lastHeartbeat: LastHeartbeatFact }
  | { readonly kind: "exit"; readonly exit: ExitFact }
  | { readonly kind: "vital-signs"; readonly instance: string; readonly reading: VitalReading }
  | { readonly kind: "last-activity"; readonly activity: LastActivity }
  | { readonly kind: "outside"; readonly outside: OutsideFinding }
  | {
      readonly kind: "main-thread";
      readonly instance: string;
      readonly top: string;
      readonly location: Location | null;
    };

/** What the input itself shows. */
export type InputFact =
  | { readonly kind: "exception"; readonly type: string; readonly message: string }
  | { readonly kind: "frame"; readonly place: Location }
  | { readonly kind: "code"; readonly place: Location }
  | { readonly kind: "breadcrumb"; readonly category: string; readonly message: string }
  | { readonly kind: "call"; readonly call: OutgoingCall }
  | { readonly kind: "request"; readonly method: string; readonly route: string }
  | { readonly kind: "mechanism"; readonly mechanism: string; readonly isHandled: boolean }
  | { readonly kind: "signature"; readonly id: string }
  | { readonly kind: "record"; readonly record: LogRecord }
  | { readonly kind: "alert"; readonly alert: Alert }
  | { readonly kind: "text"; readonly headline: string };

/** Anything that a piece of evidence can show. */
export type AnyFact = Fact | InputFact;

/** What the heartbeats of a minute counted, each of the minute before it. */
export interface AnsweredMinute {
  /** The full minute in which the heartbeats came. RFC 3339. */
  readonly at: string;
  readonly requests: number;
  /** Those of them that were answered with 500 and above. */
  readonly failed: number;
}

/**
 * How often it came over the last hours: seen now for the first time, at the same rate all along, or from a minute on
 * more often, at once (`step`), for a while (`spike`), or little by little (`growth`).
 */
export interface RateFact {
  readonly shape: "first" | "steady" | "step" | "spike" | "growth";
  /** The service whose failures are counted; absent for the failure that is investigated. */
  readonly of?: string;
  /** When it changed, or was first seen; null when it did not change. RFC 3339. */
  readonly at: string | null;
  /** Of a spike: when it was over. RFC 3339. */
  readonly until: string | null;
  /** Events of the minute before and after, or of a process and minute when `perProcess`. */
  readonly before: number;
  readonly after: number;
  readonly perProcess: boolean;
}

/** A failure of another service that belongs to the same traces, or to the same moment. */
export interface RelatedFailure {
  readonly service: string;
  readonly message: string;
  readonly at: string;
  readonly location: Location | null;
  /** The same trace, or only the same time. */
  readonly link: "trace" | "time";
  /**
   * `deepest`: this service called it, itself or through others, and nothing that it called failed (of the same time: it
   * calls it); `refusing`:
   * likewise, but it answered 4xx, which the calling side causes at least as often; `between`: on the way there;
   * `caller`: it failed since this service did; `beside`: no failed call leads there.
   */
  readonly role: "deepest" | "refusing" | "between" | "caller" | "beside";
  /** In how many of the traces that were looked at; of the same time: 0 of 0. */
  readonly traces: { readonly with: number; readonly of: number };
  /** Whether it came as often before. */
  readonly wasThere: boolean;
  /** What kind of failure it is by the signatures; null when none matches. */
  readonly category: Category | null;
  /** The innermost error, for the signatures. */
  readonly error: { readonly type: string; readonly message: string; readonly code: string | null };
}

/** A release that a service was given about then, and whether it caused the failure. */
export interface DeployFact {
  readonly service: string;
  readonly release: string;
  readonly previous: string | null;
  /** When its first process started, it was first seen, or it was reported as live, whichever was earliest. RFC 3339. */
  readonly at: string;
  /** Whether the start of its first process is known, by its uptime. */
  readonly isStartKnown?: boolean;
  /** Whether it was live before `previous`, and is live again since `at`. */
  readonly isBack?: boolean;
  /** What was reported when it went live; absent when nothing was. */
  readonly reported?: { readonly at: string; readonly commit: string | null; readonly url: string | null };
  /** `suspect`: the failures are in it alone, or many times as often; `near`: they began soon after; or ruled out. */
  readonly verdict: "suspect" | "near" | "ruled-out";
  readonly reason: ReleaseReason;
  /** When the failure began, as far as `began` says. RFC 3339; null for a process exit. */
  readonly firstSeen: string | null;
  /** What began at `firstSeen`: the failure itself, when absent. */
  readonly began?: LaterBeginning;
  /** Failures by release; null for another service's. */
  readonly counts: ReleaseCounts | null;
  /** Whether it is the failing service's own. */
  readonly own: boolean;
  /** Whether the last answer before the failure was this service's. */
  readonly answeredLast: boolean;
  /** It called the failing service in the same traces, or had answered the caller; absent for one that is called. */
  readonly upstream?: "caller" | "source";
}

/**
 * What is known of a failure's beginning, other than when it was first seen: when it was `announced`, some time after it
 * began; or in which minute it `rose`, having been rarer before.
 */
export type LaterBeginning = "announced" | "rose";

/** Why a release is suspected or ruled out. */
export type ReleaseReason =
  /** All failures are in it, while the one before ran beside it. */
  | { readonly kind: "only-in-release" }
  | { readonly kind: "more-often"; readonly factor: number }
  /** The failure began soon after, or so shortly before that clocks can't tell. */
  | { readonly kind: "soon-after" }
  | { readonly kind: "none-in-release" }
  | { readonly kind: "there-before" }
  | { readonly kind: "long-after" }
  /** It was replaced, and is back: the failures are those before and after, and none is in the release between. */
  | { readonly kind: "back-with-it" }
  /** One of its processes stopped reporting. */
  | { readonly kind: "before-exit" };

/** Failures in a release and in the others, and for how many minutes processes of each ran. */
export interface ReleaseCounts {
  readonly inRelease: number;
  readonly inReleaseMinutes: number;
  readonly inOthers: number;
  readonly inOthersMinutes: number;
}

/** One value that has more of the failures than of the ordinary traffic. */
export interface Concentration {
  readonly dimension: "host" | "instance" | "route" | "runtime" | "user agent" | "upstream";
  readonly value: string;
  readonly failing: number;
  readonly of: number;
  /** Its share of what is ordinary, 0 to 1. */
  readonly expected: number;
  /** How probable that is by chance, after correction for the number of values. */
  readonly chance: number;
}

/** Calls to one host that failed just before events of this failure. */
export interface FailingCalls {
  readonly host: string;
  /** Which service answers there, if that is known. */
  readonly service: string | null;
  readonly how: "error" | "status" | "slow" | "unanswered";
  readonly events: number;
  readonly of: number;
  /** The same before other events of the service. */
  readonly others: number;
  readonly othersOf: number;
  /** How probable the difference is by chance. */
  readonly chance: number;
}

/** What the heartbeats of a process show, or that they stopped. */
export type ProcessState = {
  readonly service: string;
  readonly instance: string;
  readonly host: string;
  readonly own: boolean;
  /** How much it explains, 0 to 1: a full heap, an event loop that was blocked for seconds. */
  readonly severity: number;
} & (
  | {
      readonly resource: "memory";
      readonly since: string;
      readonly fromBytes: number;
      readonly toBytes: number;
      readonly limitBytes: number | null;
      readonly climbs: boolean;
    }
  | { readonly resource: "event-loop"; readonly delayMs: number }
  | { readonly resource: "exit"; readonly lastAt: string; readonly othersReporting: number }
  | {
      readonly resource: "restart";
      readonly at: string;
      /** The process before it on the same host: it last reported before this one began. */
      readonly previous: { readonly lastAt: string; readonly shutDownCleanly: boolean };
    }
);

/** An incident of before that resembles this one, and what was found then. */
export interface SimilarIncident {
  readonly id: string;
  readonly at: string;
  readonly likeness: "same failure" | "same service and message" | "similar message";
  readonly category: Category | null;
  readonly summary: string;
  /** What people said of that report. */
  readonly verdict: "right" | "wrong" | "partly" | null;
}

/** A process that stopped reporting. */
export interface LastHeartbeatFact {
  readonly service: string;
  readonly host: string;
  readonly instance: string;
  /** 0 when it isn't known. */
  readonly pid: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly noticedAt: string;
  /** It still reported, but its main thread was blocked. */
  readonly isHung: boolean;
}

/** How processes may have ended, and what the heartbeats say about it. */
export interface ExitFact {
  readonly kind: ExitKind | "host-lost" | "everything-lost";
  readonly service: string;
  readonly hosts: readonly string[];
  readonly services: readonly string[];
  /** The processes that stopped reporting; of a crash loop, its rounds. */
  readonly processes: number;
  /** How likely it is by the heartbeats, 0 to 1. */
  readonly likelihood: number;
  readonly reasons: readonly ExitReason[];
  /** The first start, the last one, and how long the shortest and the longest round reported; null if it isn't a loop. */
  readonly loop: {
    readonly firstAt: string;
    readonly lastAt: string;
    readonly shortestMs: number;
    readonly longestMs: number;
  } | null;
}

/** Something that a process did before it stopped reporting. */
export interface LastActivity {
  readonly instance: string;
  readonly at: string;
  readonly category: string;
  readonly message: string;
  /** How long before its last heartbeat, by its own clock; null when that isn't known. */
  readonly beforeLastMs: number | null;
}
