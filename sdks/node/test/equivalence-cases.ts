/** A program of `programs/endings.cjs`, how it is started, and what the service is told of it. */
export interface EquivalenceCase {
  readonly ending: string;
  /** Further flags of Node. */
  readonly flags?: readonly string[];
  /** The same flags, given by NODE_OPTIONS. */
  readonly nodeOptions?: string;
  /** Whether the program adds its listeners after the client has started; before that by default. */
  readonly listensLast?: true;
  /** Whether it is run as CommonJS and as ES modules on every version, not in turns. */
  readonly isBasic?: true;
  /** Whether it is run with the client preloaded, too, and started again by the program. */
  readonly isPreloaded?: true;
  /** A file of its own, for what only an ES module can do. */
  readonly file?: string;
  /** Whether the error is thrown while the main module is loaded: by a promise, with ES modules. */
  readonly isAtLoad?: true;
  /** What arrives besides heartbeats, in order: mechanism and message, `exit` and its code. */
  readonly told: readonly string[];
  /** What arrives from Node 18, which doesn't tell of threads that are started. */
  readonly toldBy18?: readonly string[];
}

const uncaught = "uncaughtException: order lost";
const rejection = "unhandledRejection: order lost";
const captured = "captureException: order lost";
const modes = ["strict", "warn", "none", "warn-with-error-code"] as const;
const flagOf = (mode: string): string => `--unhandled-rejections=${mode}`;

/** Uncaught errors, whatever is thrown from wherever. */
const errors: readonly EquivalenceCase[] = [
  { ending: "throws an error", told: [uncaught], isBasic: true, isPreloaded: true, isAtLoad: true },
  { ending: "throws later", told: [uncaught], isBasic: true },
  { ending: "throws text", told: ["uncaughtException: plain words"], isAtLoad: true },
  { ending: "throws undefined", told: ["uncaughtException: undefined"], isAtLoad: true },
  { ending: "throws null later", told: ["uncaughtException: null"] },
  { ending: "throws a plain object", told: ['uncaughtException: {"code":"E_ORDER","order":31}'], isAtLoad: true },
  { ending: "throws a frozen error", told: [uncaught], isAtLoad: true },
  { ending: "freezes Error, then throws", told: [uncaught], isAtLoad: true },
  { ending: "throws an error without a stack", told: [uncaught], isAtLoad: true },
  { ending: "throws an AggregateError", told: ["uncaughtException: both lost"], isAtLoad: true },
  { ending: "throws an error that can't be read", told: ["uncaughtException: {}"] },
  { ending: "throws with an exit code set", told: [uncaught], isAtLoad: true },
  { ending: "throws in a microtask", told: [uncaught] },
  { ending: "throws in process.nextTick", told: [uncaught] },
  { ending: "emits an error that nobody listens for", told: [uncaught], isAtLoad: true },
  { ending: "throws in an exit listener", told: [uncaught], isBasic: true },
  { ending: "throws an error", flags: ["--enable-source-maps"], told: [uncaught], isAtLoad: true },
  { ending: "throws later", flags: ["--frozen-intrinsics"], told: [uncaught] },
  { ending: "throws an error", flags: ["--abort-on-uncaught-exception"], told: [], isAtLoad: true },
];

/** The program's own listeners, and what they do. */
const listeners: readonly EquivalenceCase[] = [
  { ending: "throws in an uncaughtException listener", told: [] },
  { ending: "catches and lives", told: [uncaught, "exit 0"], isBasic: true, isPreloaded: true, isAtLoad: true },
  { ending: "catches and lives", listensLast: true, told: [uncaught, "exit 0"], isAtLoad: true },
  { ending: "catches one error, then dies of the next", told: [uncaught, "uncaughtException: second"] },
  {
    ending: "catches one error, then dies of the next",
    listensLast: true,
    told: [uncaught, "uncaughtException: second"],
  },
  { ending: "catches and exits with 9", told: [uncaught, "exit 9"], isBasic: true, isAtLoad: true },
  { ending: "catches and exits with 9", listensLast: true, told: [uncaught, "exit 9"], isAtLoad: true },
  { ending: "monitors, then dies", told: [uncaught], isAtLoad: true },
  { ending: "monitors, then dies", listensLast: true, told: [uncaught], isAtLoad: true },
  { ending: "exits with 6 in a monitor", told: [uncaught], isAtLoad: true },
  { ending: "takes errors by setUncaughtExceptionCaptureCallback", told: [uncaught, "exit 0"] },
  { ending: "takes errors by setUncaughtExceptionCaptureCallback", listensLast: true, told: [uncaught, "exit 0"] },
  { ending: "throws in a domain that listens", told: [uncaught, "exit 0"] },
  { ending: "throws in a domain that doesn't listen", told: [uncaught] },
  { ending: "lists its listeners", told: [], isPreloaded: true },
  { ending: "lists its listeners", listensLast: true, told: [] },
  { ending: "listens for as much as Node allows", told: [], isPreloaded: true },
  { ending: "puts an emit of its own in place", told: [rejection] },
  { ending: "puts an emit of its own in place", listensLast: true, told: [rejection] },
];

/** Rejections that nobody handles, or somebody does. */
const rejections: readonly EquivalenceCase[] = [
  { ending: "rejects", told: [rejection], isBasic: true, isPreloaded: true },
  { ending: "rejects", flags: [flagOf("throw")], told: [rejection] },
  { ending: "rejects", flags: [flagOf("strict")], told: [rejection] },
  ...modes.slice(1).map((mode) => ({
    ending: "rejects",
    flags: [flagOf(mode)],
    told: [rejection, mode === "warn-with-error-code" ? "exit 1" : "exit 0"],
  })),
  { ending: "rejects", nodeOptions: flagOf("strict"), told: [rejection] },
  { ending: "rejects", nodeOptions: flagOf("warn"), told: [rejection, "exit 0"] },
  { ending: "rejects", nodeOptions: flagOf("warn-with-error-code"), told: [rejection, "exit 1"] },
  { ending: "rejects", nodeOptions: flagOf("none"), flags: [flagOf("strict")], told: [rejection] },
  { ending: "rejects", flags: [flagOf("warn"), "--no-warnings"], told: [rejection, "exit 0"] },
  { ending: "rejects", flags: [flagOf("warn"), "--trace-warnings"], told: [rejection, "exit 0"] },
  { ending: "rejects later", told: [rejection], isBasic: true },
  { ending: "rejects with text", flags: [flagOf("warn")], told: ["unhandledRejection: plain words", "exit 0"] },
  { ending: "rejects with undefined", flags: [flagOf("none")], told: ["unhandledRejection: undefined", "exit 0"] },
  { ending: "rejects, and handles it in time", told: [] },
  { ending: "rejects, and handles it late", told: [rejection] },
  { ending: "rejects, and handles it late", flags: [flagOf("warn")], told: [rejection, "exit 0"] },
  { ending: "handles rejections", told: [rejection, "exit 0"], isBasic: true, isPreloaded: true },
  { ending: "handles rejections", listensLast: true, told: [rejection, "exit 0"] },
  ...modes.map((mode) => ({
    ending: "handles rejections",
    flags: [flagOf(mode)],
    told: [rejection, ...(mode === "strict" ? [] : ["exit 0"])],
  })),
  { ending: "handles rejections and late handling", told: [rejection, "exit 0"] },
  { ending: "handles rejections twice over", told: [rejection, "exit 0"] },
  { ending: "handles one rejection, then dies of the next", told: [rejection, "unhandledRejection: second"] },
  {
    ending: "handles one rejection, then dies of the next",
    listensLast: true,
    told: [rejection, "unhandledRejection: second"],
  },
  { ending: "exits with 8 on a rejection", told: [rejection, "exit 8"] },
  { ending: "throws on a rejection", told: [uncaught] },
  { ending: "handles rejections and errors", told: [rejection, "uncaughtException: second", "exit 0"] },
  {
    ending: "handles rejections and errors",
    flags: [flagOf("strict")],
    told: [rejection, "uncaughtException: second", "exit 0"],
  },
  { ending: "rejects in a domain that listens", told: [] },
];

/** Ends that are no failure, and signals. */
const ends: readonly EquivalenceCase[] = [
  { ending: "exits with 3", told: [captured, "exit 3"], isBasic: true, isPreloaded: true },
  { ending: "exits with 3 again in an exit listener", told: [captured, "exit 2"] },
  { ending: "runs out of work", told: [captured, "exit 0"], isBasic: true },
  { ending: "runs out of work, untouched", told: [], isBasic: true, isPreloaded: true },
  { ending: "takes up work again in beforeExit", told: [captured, "exit 0"] },
  { ending: "prints and sets 4 in an exit listener", told: [captured, "exit 0"], isBasic: true },
  { ending: "awaits for ever", file: "awaits-for-ever.mjs", told: ["captureMessage: waiting", "exit 13"] },
  { ending: "aborts", told: [] },
  { ending: "is ended by SIGTERM", told: [], isBasic: true },
  { ending: "is ended by SIGINT", told: [] },
  { ending: "is ended by SIGKILL", told: [] },
  { ending: "handles SIGTERM and exits with 0", told: [captured, "exit 0"], isBasic: true },
  { ending: "handles SIGINT and runs out of work", told: [captured, "exit 0"] },
  { ending: "starts the client twice", told: [uncaught], isPreloaded: true, isAtLoad: true },
  {
    ending: "logs by console",
    told: ["captureMessage: before", "console: an error is logged order lost", "exit 0"],
    isPreloaded: true,
  },
];

/** Threads and processes of the program. */
const others: readonly EquivalenceCase[] = [
  { ending: "has its thread throw, and listens", told: [uncaught], isBasic: true, isPreloaded: true },
  { ending: "has its thread throw, and doesn't listen", told: [uncaught], isPreloaded: true },
  {
    // A text can't carry the mark that the thread has reported it.
    ending: "has its thread throw text, and listens",
    told: ["uncaughtException: plain words", "workerThread: plain words", "exit 0"],
    toldBy18: ["uncaughtException: plain words"],
    isAtLoad: true,
  },
  { ending: "has its thread reject, and listens", told: [rejection] },
  { ending: "has its thread reject, and listens", flags: [flagOf("warn")], told: [rejection, "exit 0"] },
  { ending: "has its thread catch and live", told: [uncaught, "exit 0"], isAtLoad: true },
  { ending: "has its thread exit with 3", told: [captured, "exit 3"] },
  { ending: "has its thread run out of work", told: [captured, "exit 0"] },
  { ending: "has its bare thread throw, and listens", told: ["workerThread: order lost", "exit 0"], toldBy18: [] },
  { ending: "has its bare thread throw, and doesn't listen", told: [uncaught] },
  { ending: "exits while its thread runs", told: [captured, "exit 7"] },
  { ending: "forks a process that throws", told: [uncaught], isPreloaded: true, isAtLoad: true },
  { ending: "forks a process that rejects", told: [rejection] },
  { ending: "forks a process that exits with 3", told: [captured, "exit 3"] },
  { ending: "talks to a forked process", told: [], isPreloaded: true },
  { ending: "is a cluster whose worker throws", told: [uncaught], isPreloaded: true, isAtLoad: true },
];

/** All cases, by the heading of the matrix that they stand under. */
export const caseGroups: readonly { readonly heading: string; readonly cases: readonly EquivalenceCase[] }[] = [
  { heading: "Uncaught errors", cases: errors },
  { heading: "With listeners of its own", cases: listeners },
  { heading: "Rejections", cases: rejections },
  { heading: "Other ends", cases: ends },
  { heading: "Threads and processes", cases: others },
];

/** A case in words, unique among them. */
export function titleOf({ ending, flags = [], nodeOptions, listensLast }: EquivalenceCase): string {
  const details = [
    ...(listensLast ? ["listeners after the client"] : []),
    ...flags.map((flag) => `\`${flag}\``),
    ...(nodeOptions === undefined ? [] : [`\`NODE_OPTIONS=${nodeOptions}\``]),
  ];
  return details.length === 0 ? ending : `${ending} (${details.join(", ")})`;
}
