import type { Clue, ValueSource } from "../findings.ts";

/**
 * What each kind of reason is worth, between 0 and 1: how often, by experience, a place that stands out for this reason
 * is the one that has to be changed. Set by judgement, not yet calibrated: part of every report's `confidence.basis`.
 */
export const weights = {
  /** The innermost frame, when the runtime itself threw there. */
  topFrame: 0.5,
  /** The innermost frame, when a package threw on purpose: it refuses what it was given. */
  topFrameRefusing: 0.3,
  /** The innermost frame of the user's own code. */
  topOwnFrame: 0.45,
  /** Any other frame; each further one is worth less by `frameStep`. */
  otherFrame: 0.28,
  frameStep: 0.03,

  failingDependency: 0.7,
  /** The answer could not be read, and the call had failed: an error page. */
  refusedAnswer: 0.88,
  /** The answer could not be read, though the call succeeded. */
  unreadableAnswer: 0.56,
  /** The dependency answered, and in another shape than the code reads. */
  changedAnswer: 0.62,
  missingVariable: 0.82,
  forgottenAwait: 0.78,
  /** The same, of what the module starts itself. */
  forgottenStart: 0.3,
  promiseAsValue: 0.7,
  /** Text and number joined by `+`, when the error complains of a text. */
  joinedText: 0.92,
  unhandledRejection: 0.72,
  unreleased: 0.72,
  /** A setting that spells the value which the error complains of. */
  writtenSetting: 0.56,
  writtenInCode: 0.4,

  /** Added for each step along the data away from the throw site, towards where the value was made. */
  stepTowardsOrigin: 0.01,
  /** Steps beyond these add nothing. */
  stepsCounted: 6,
  /** Added where the trail of the value ends: it was made there, or came in there. */
  endOfTrail: 0.1,
  /** Added when a second reason names the same place. */
  agreement: 0.05,
  /** A function that calls itself until the stack is full. */
  recursion: 0.75,
  /** The caller of a lock or pool that timed out: it takes what others wait for. */
  takerOfResource: 0.62,
  /** A file of data that cannot be read. */
  brokenFile: 0.9,
  /** Factor for what the beginning of the program hands in. */
  input: 0.75,
  /** Factor for the condition under which a lock or pool gives up: it says when, not why. */
  givingUp: 0.6,
  /** Factor for the steps of a value inside a package that failed by itself: mostly the place of the throw is wrong. */
  insidePackage: 0.9,
  /** What one installed package hands another, which fails on it. */
  handedAcross: 0.7,
  /** Factor for the place where a value was missed that came from another file. */
  handedIn: 0.85,
  /** Factor for code of an installed package, when the user's own code threw. */
  installedCode: 0.55,
  /** Factor for the user's own code, when a package failed by itself. */
  ownCodeBehindPackage: 0.6,
} as const;

/**
 * What the telemetry is worth against a service; reasons of different kinds add up as independent ones: two of 0.6 are
 * worth 0.84.
 */
export const telemetryWeights = {
  /** It failed in the same trace, and the failed calls end there; it lies on the way there; it called the failing service. */
  deepest: 0.88,
  /** The same, but it answered 4xx: what it was asked may be at fault. */
  refusing: 0.45,
  between: 0.45,
  caller: 0.1,
  /** It failed in the same trace, and no failed call leads there. */
  beside: 0.3,
  /** It failed at the same time: a service whose call failed, any other, and one that does so all the time. */
  calledAtTheTime: 0.6,
  atTheTime: 0.3,
  thereBefore: 0.1,
  /** A call to it failed before each event and before few others; before most of them. */
  callsAlwaysFailed: 0.72,
  callsFailed: 0.5,
  /** The failures are in its new release alone, or many times as often as in the old one. */
  suspectRelease: 0.88,
  /** They began soon after its release; after that of a service whose calls fail. */
  nearRelease: 0.5,
  nearReleaseOfSuspect: 0.6,
  /** After that of a service whose answer is what could not be read, by the error's kind; by the way of the value. */
  nearReleaseOfAsked: 0.55,
  nearReleaseOfAnswer: 0.85,
  /** The same, when the value was awaited, from code that is not at hand, and that service was the last to answer. */
  nearReleaseOfLastAnswer: 0.75,
  /**
   * They began soon after a release of who asked for what was refused, or of who had answered that one before: the value
   * was handed on. Of who asked, when what was refused was the number of requests.
   */
  nearReleaseOfAsker: 0.6,
  nearReleaseOfSource: 0.75,
  nearReleaseOfWhoAsksTooOften: 0.8,
  /** The same while the failing service was given a release as well. */
  nearReleaseBesideOwn: 0.25,
  /** Times the severity: its processes fell silent, their memory was full, their event loop stood still. */
  unwellProcess: 0.75,
  /** Factor for processes whose state the error does not follow from. */
  unrelated: 0.35,
  /** Nearly all failures are on one host, process or runtime of several. */
  oneHost: 0.5,
} as const;

/** What a way of making the value is worth as the place to change. */
export const originWeights: Readonly<Record<ValueSource, number>> = {
  parameter: 0.1,
  argument: 0.3,
  lookup: 0.44,
  assignment: 0.32,
  import: 0.2,
  iteration: 0.25,
  call: 0.36,
  "awaited-call": 0.44,
  return: 0.38,
  "returns-nothing": 0.58,
  property: 0.32,
  environment: 0.8,
  "parsed-text": 0.42,
  "incoming-body": 0.44,
  "outside-answer": 0.44,
  "answer-field": 0.66,
  setting: 0.7,
  overrun: 0.75,
  "missing-key": 0.5,
  data: 0.5,
  fallback: 0.6,
  computed: 0.54,
  literal: 0.5,
};

/** What is seen at the throw site itself. */
export const siteWeights: Readonly<Partial<Record<Clue["kind"], number>>> = {
  "nullish-operand": 0.54,
  "thrown-by-code": 0.36,
  "throw-site": 0.38,
};
