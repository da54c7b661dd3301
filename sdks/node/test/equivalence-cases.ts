/** A program of `programs/endings.cjs`, how to start it, and what its client reports. */
export interface EquivalenceCase {
  readonly ending: string;
  /** Additional flags of Node. */
  readonly flags?: readonly string[];
  /** The same flags in NODE_OPTIONS. */
  readonly nodeOptions?: string;
  /** Whether the program adds its listeners after the client has started, rather than before. */
  readonly listensLast?: true;
  /** Whether it runs as CommonJS and as ES modules on every version, instead of alternating. */
  readonly isBasic?: true;
  /** Whether it also runs with the client preloaded and started again by the program. */
  readonly isPreloaded?: true;
  /** A separate file, for what only an ES module can do. */
  readonly file?: string;
  /** Whether the error is thrown while the main module is loaded, which with ES modules is in a promise. */
  readonly isAtLoad?: true;
  /** What arrives other than heartbeats, in order: mechanism and message, or `exit` and its code. */
  readonly reported: readonly string[];
  /** What the next start of the program sends, which ends without running more of its own code. */
  readonly sentByNextStart?: readonly string[];
  /** What arrives from Node 18, which doesn't report new threads. */
  readonly reportedBy18?: readonly string[];
}

const uncaught = "uncaughtException: order lost";
const rejection = "unhandledRejection: order lost";
const captured = "captureException: order lost";
const modes = ["strict", "warn", "none", "warn-with-error-code"] as const;
const flagOf = (mode: string): string => `--unhandled-rejections=${mode}`;

/** Uncaught errors, with any value thrown from any place. */
const errors: readonly EquivalenceCase[] = [
  { ending: "throws an error", reported: [uncaught], isBasic: true, isPreloaded: true, isAtLoad: true },
  { ending: "throws later", reported: [uncaught], isBasic: true },
  { ending: "throws text", reported: ["uncaughtException: plain words"], isAtLoad: true },
  { ending: "throws undefined", reported: ["uncaughtException: undefined"], isAtLoad: true },
  { ending: "throws null later", reported: ["uncaughtException: null"] },
  { ending: "throws a plain object", reported: ['uncaughtException: {"code":"E_ORDER","order":31}'], isAtLoad: true },
  { ending: "throws a frozen error", reported: [uncaught], isAtLoad: true },
  { ending: "freezes Error, then throws", reported: [uncaught], isAtLoad: true },
  { ending: "throws an error without a stack", reported: [uncaught], isAtLoad: true },
  { ending: "throws an AggregateError", reported: ["uncaughtException: both lost"], isAtLoad: true },
  { ending: "throws an error that can't be read", reported: ["uncaughtException: {}"] },
  { ending: "throws with an exit code set", reported: [uncaught], isAtLoad: true },
  { ending: "throws in a microtask", reported: [uncaught] },
  { ending: "throws in process.nextTick", reported: [uncaught] },
  { ending: "emits an error without a listener", reported: [uncaught], isAtLoad: true },
  { ending: "throws in an exit listener", reported: [uncaught], isBasic: true },
  { ending: "throws an error", flags: ["--enable-source-maps"], reported: [uncaught], isAtLoad: true },
  { ending: "throws later", flags: ["--frozen-intrinsics"], reported: [uncaught] },
  { ending: "throws an error", flags: ["--abort-on-uncaught-exception"], reported: [], isAtLoad: true },
];

/** The program's own listeners, and what they do. */
const listeners: readonly EquivalenceCase[] = [
  { ending: "throws in an uncaughtException listener", reported: [], sentByNextStart: [uncaught], isAtLoad: true },
  {
    ending: "throws in an uncaughtException listener",
    listensLast: true,
    reported: [],
    sentByNextStart: [uncaught],
    isAtLoad: true,
  },
  { ending: "catches and lives", reported: [uncaught, "exit 0"], isBasic: true, isPreloaded: true, isAtLoad: true },
  { ending: "catches and lives", listensLast: true, reported: [uncaught, "exit 0"], isAtLoad: true },
  { ending: "catches one error, then dies of the next", reported: [uncaught, "uncaughtException: second"] },
  {
    ending: "catches one error, then dies of the next",
    listensLast: true,
    reported: [uncaught, "uncaughtException: second"],
  },
  { ending: "catches and exits with 9", reported: [uncaught, "exit 9"], isBasic: true, isAtLoad: true },
  { ending: "catches and exits with 9", listensLast: true, reported: [uncaught, "exit 9"], isAtLoad: true },
  { ending: "monitors, then dies", reported: [uncaught], isAtLoad: true },
  { ending: "monitors, then dies", listensLast: true, reported: [uncaught], isAtLoad: true },
  { ending: "exits with 6 in a monitor", reported: [uncaught], isAtLoad: true },
  { ending: "takes errors by setUncaughtExceptionCaptureCallback", reported: [uncaught, "exit 0"] },
  { ending: "takes errors by setUncaughtExceptionCaptureCallback", listensLast: true, reported: [uncaught, "exit 0"] },
  { ending: "throws in a domain that listens", reported: [uncaught, "exit 0"] },
  { ending: "throws in a domain that doesn't listen", reported: [uncaught] },
  { ending: "lists its listeners", reported: [], isPreloaded: true },
  { ending: "lists its listeners", listensLast: true, reported: [] },
  { ending: "listens for as much as Node allows", reported: [], isPreloaded: true },
  { ending: "puts an emit of its own in place", reported: [rejection] },
  { ending: "puts an emit of its own in place", listensLast: true, reported: [rejection] },
];

/** Rejections, handled and unhandled. */
const rejections: readonly EquivalenceCase[] = [
  { ending: "rejects", reported: [rejection], isBasic: true, isPreloaded: true },
  { ending: "rejects", flags: [flagOf("throw")], reported: [rejection] },
  { ending: "rejects", flags: [flagOf("strict")], reported: [rejection] },
  ...modes.slice(1).map((mode) => ({
    ending: "rejects",
    flags: [flagOf(mode)],
    reported: [rejection, mode === "warn-with-error-code" ? "exit 1" : "exit 0"],
  })),
  { ending: "rejects", nodeOptions: flagOf("strict"), reported: [rejection] },
  { ending: "rejects", nodeOptions: flagOf("warn"), reported: [rejection, "exit 0"] },
  { ending: "rejects", nodeOptions: flagOf("warn-with-error-code"), reported: [rejection, "exit 1"] },
  { ending: "rejects", nodeOptions: flagOf("none"), flags: [flagOf("strict")], reported: [rejection] },
  { ending: "rejects", flags: [flagOf("warn"), "--no-warnings"], reported: [rejection, "exit 0"] },
  { ending: "rejects", flags: [flagOf("warn"), "--trace-warnings"], reported: [rejection, "exit 0"] },
  { ending: "rejects later", reported: [rejection], isBasic: true },
  { ending: "rejects with text", flags: [flagOf("warn")], reported: ["unhandledRejection: plain words", "exit 0"] },
  { ending: "rejects with undefined", flags: [flagOf("none")], reported: ["unhandledRejection: undefined", "exit 0"] },
  { ending: "rejects, and handles it in time", reported: [] },
  { ending: "rejects, and handles it late", reported: [rejection] },
  { ending: "rejects, and handles it late", flags: [flagOf("warn")], reported: [rejection, "exit 0"] },
  { ending: "handles rejections", reported: [rejection, "exit 0"], isBasic: true, isPreloaded: true },
  { ending: "handles rejections", listensLast: true, reported: [rejection, "exit 0"] },
  ...modes.map((mode) => ({
    ending: "handles rejections",
    flags: [flagOf(mode)],
    reported: [rejection, ...(mode === "strict" ? [] : ["exit 0"])],
  })),
  { ending: "handles rejections and late handling", reported: [rejection, "exit 0"] },
  { ending: "handles rejections twice over", reported: [rejection, "exit 0"] },
  { ending: "handles one rejection, then dies of the next", reported: [rejection, "unhandledRejection: second"] },
  {
    ending: "handles one rejection, then dies of the next",
    listensLast: true,
    reported: [rejection, "unhandledRejection: second"],
  },
  { ending: "exits with 8 on a rejection", reported: [rejection, "exit 8"] },
  { ending: "throws on a rejection", reported: [uncaught] },
  { ending: "handles rejections and errors", reported: [rejection, "uncaughtException: second", "exit 0"] },
  {
    ending: "handles rejections and errors",
    flags: [flagOf("strict")],
    reported: [rejection, "uncaughtException: second", "exit 0"],
  },
  { ending: "rejects in a domain that listens", reported: [] },
];

/** Ends without a failure, and signals. */
const ends: readonly EquivalenceCase[] = [
  { ending: "exits with 3", reported: [captured, "exit 3"], isBasic: true, isPreloaded: true },
  { ending: "exits with 3 again in an exit listener", reported: [captured, "exit 2"] },
  { ending: "runs out of work", reported: [captured, "exit 0"], isBasic: true },
  { ending: "runs out of work, untouched", reported: [], isBasic: true, isPreloaded: true },
  { ending: "takes up work again in beforeExit", reported: [captured, "exit 0"] },
  { ending: "prints and sets 4 in an exit listener", reported: [captured, "exit 0"], isBasic: true },
  { ending: "awaits for ever", file: "awaits-for-ever.mjs", reported: ["captureMessage: waiting", "exit 13"] },
  { ending: "aborts", reported: [] },
  { ending: "is ended by SIGTERM", reported: [], isBasic: true },
  { ending: "is ended by SIGTERM when its error is on disk", reported: [], sentByNextStart: [captured] },
  { ending: "is ended by SIGTERM in a loop", reported: [] },
  { ending: "is ended by SIGINT", reported: [] },
  { ending: "is ended by SIGKILL", reported: [] },
  { ending: "handles SIGTERM and exits with 0", reported: [captured, "exit 0"], isBasic: true },
  { ending: "handles SIGINT and runs out of work", reported: [captured, "exit 0"] },
  { ending: "starts the client twice", reported: [uncaught], isPreloaded: true, isAtLoad: true },
  {
    ending: "logs by console",
    reported: ["captureMessage: before", "console: an error is logged order lost", "exit 0"],
    isPreloaded: true,
  },
];

/** Threads and child processes. */
const others: readonly EquivalenceCase[] = [
  { ending: "has its thread throw, and listens", reported: [uncaught], isBasic: true, isPreloaded: true },
  { ending: "has its thread throw, and doesn't listen", reported: [uncaught], isPreloaded: true },
  {
    // A string can't carry the mark that the thread has reported it.
    ending: "has its thread throw text, and listens",
    reported: ["uncaughtException: plain words", "workerThread: plain words", "exit 0"],
    reportedBy18: ["uncaughtException: plain words"],
    isBasic: true,
    isAtLoad: true,
  },
  { ending: "has its thread reject, and listens", reported: [rejection] },
  { ending: "has its thread reject, and listens", flags: [flagOf("warn")], reported: [rejection, "exit 0"] },
  { ending: "has its thread catch and live", reported: [uncaught, "exit 0"], isAtLoad: true },
  { ending: "has its thread exit with 3", reported: [captured, "exit 3"] },
  { ending: "has its thread run out of work", reported: [captured, "exit 0"] },
  {
    ending: "has its bare thread throw, and listens",
    reported: ["workerThread: order lost", "exit 0"],
    reportedBy18: [],
  },
  { ending: "has its bare thread throw, and doesn't listen", reported: [uncaught] },
  { ending: "exits while its thread runs", reported: [captured, "exit 7"] },
  { ending: "forks a process that throws", reported: [uncaught], isPreloaded: true, isAtLoad: true },
  { ending: "forks a process that rejects", reported: [rejection] },
  { ending: "forks a process that exits with 3", reported: [captured, "exit 3"] },
  { ending: "talks to a forked process", reported: [], isPreloaded: true },
  { ending: "is a cluster whose worker throws", reported: [uncaught], isPreloaded: true, isAtLoad: true },
];

/** All cases, by their heading in the matrix. */
export const caseGroups: readonly { readonly heading: string; readonly cases: readonly EquivalenceCase[] }[] = [
  { heading: "Uncaught errors", cases: errors },
  { heading: "With listeners of its own", cases: listeners },
  { heading: "Rejections", cases: rejections },
  { heading: "Other ends", cases: ends },
  { heading: "Threads and processes", cases: others },
];

/** Returns a case's unique title. */
export function titleOf({ ending, flags = [], nodeOptions, listensLast }: EquivalenceCase): string {
  const details = [
    ...(listensLast ? ["listeners after the client"] : []),
    ...flags.map((flag) => `\`${flag}\``),
    ...(nodeOptions === undefined ? [] : [`\`NODE_OPTIONS=${nodeOptions}\``]),
  ];
  return details.length === 0 ? ending : `${ending} (${details.join(", ")})`;
}
