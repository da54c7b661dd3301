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
  /** A failure of another service: of the same trace, of a service that the failed call names, or only of the same time. */
  neighbourFailure: 0.66,
  neighbourCalled: 0.6,
  neighbourInTime: 0.3,
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
  writtenSetting: 0.5,
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
