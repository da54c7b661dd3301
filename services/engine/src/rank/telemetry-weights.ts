import type { FactWeight } from "../signals/fact.ts";

/**
 * What each kind of telemetry is worth as a sign that a service or a release is the cause, 0 to 1. Signs of different
 * kinds add up as independent ones do: two of 0.6 are worth 0.84. Set by judgement: the recorded failures that a model
 * could learn these from have no telemetry; `bench/faults` measures them.
 */
export const telemetryWeights = {
  /** It failed in the same trace, and the failed calls end there. */
  deepest: 0.88,
  /** The same, but it answered 4xx: the request may be what is wrong. */
  refusing: 0.45,
  between: 0.45,
  caller: 0.1,
  /** It failed in the same trace, and no failed call leads there. */
  beside: 0.3,
  /** It was called and failed at the same time; it always does. */
  calledAtTheTime: 0.6,
  thereBefore: 0.1,
  /** Beside an announced failure whose error isn't known: the service failed then, or one that it calls. */
  ownFailureThen: 0.5,
  calledFailureThen: 0.5,
  /** A call to it failed before each event and before few others; before most of them. */
  callsAlwaysFailed: 0.72,
  callsFailed: 0.5,
  /** The failures are in its new release alone, or many times as often as in the old one. */
  suspectRelease: 0.88,
  /** They began soon after its release; after that of a service whose calls fail. */
  nearRelease: 0.5,
  nearReleaseOfSuspect: 0.6,
  /** After that of a service whose answer couldn't be read: by the error's kind; along the value's trail. */
  nearReleaseOfAsked: 0.55,
  nearReleaseOfAnswer: 0.85,
  /** The same, when the value was awaited from code that isn't at hand and that service answered last. */
  nearReleaseOfLastAnswer: 0.75,
  /** The same, when another service answered last. */
  nearReleaseOfEarlierAnswer: 0.4,
  /** The same, when that release removed or renamed what the code misses; when it makes it differently. */
  changedAnswer: 0.93,
  changedValue: 0.8,
  /** Factor for a release of another service whose every changed line was read, and none makes what the code misses. */
  unchangedAnswer: 0.3,
  /** They began soon after a release of the service that asked for what was refused, or that had answered that one. */
  nearReleaseOfAsker: 0.6,
  nearReleaseOfSource: 0.75,
  nearReleaseOfTooManyRequests: 0.8,
  /** The same while the failing service had a release as well, which explains the failure more often. */
  nearReleaseBesideOwn: 0.15,
  /** Times the severity: its processes stopped, their memory was full, their event loop was blocked. */
  unwellProcess: 0.75,
  /** Factor for processes whose state, and for calls whose failure, the error doesn't follow from. */
  unrelated: 0.35,
  /** Nearly all failures are on one host, process or runtime of several. */
  oneHost: 0.5,
  /** A known failure of a service whose code is unknown; the only evidence against that service. */
  knownFailure: 0.3,
  /** A call that failed shortly before, when nothing else is known of who answers there. */
  failedCall: 0.7,
  /** The same, answered 4xx: the request may be what is wrong. */
  refusedCall: 0.45,
  /** An answer that couldn't be read: the call failed, or it succeeded. */
  refusedAnswer: 0.88,
  unreadableAnswer: 0.56,
} as const satisfies Readonly<Record<FactWeight | CallWeight, number>>;

/** What the last failed call is worth, and a known failure without other evidence. */
type CallWeight = "knownFailure" | "failedCall" | "refusedCall" | "refusedAnswer" | "unreadableAnswer";
