import { z } from "zod";
import type { LinkWords } from "../../words/link-words.ts";
import { bytes, capital, count, inlineCode, onHosts, percent } from "../../words/prose.ts";
import { linked } from "../kind.ts";
import { timeErrorMs } from "../time-order.ts";
import { factKind, isLater } from "./fact-kind.ts";
import type { FailureView } from "./failure-view.ts";

const ofProcess = z.object({
  service: z.string(),
  instance: z.string(),
  host: z.string(),
  own: z.boolean(),
  /** How much it explains, from 0 to 1: a full heap, an event loop blocked for seconds. */
  severity: z.number(),
});

const processStateSchema = z
  .discriminatedUnion("resource", [
    ofProcess.extend({
      resource: z.literal("memory"),
      /** What all of its figures measure: the heap, or the whole process. */
      of: z.enum(["heap", "process"]),
      since: z.string(),
      fromBytes: z.number(),
      toBytes: z.number(),
      /** The heap's; null for the whole process. */
      limitBytes: z.number().nullable(),
      climbs: z.boolean(),
    }),
    ofProcess.extend({ resource: z.literal("event-loop"), delayMs: z.number() }),
    ofProcess.extend({
      resource: z.literal("pool"),
      /** A pool of connections; its name may be empty. `max` is 0 where it isn't reported. */
      pool: z.object({ name: z.string(), used: z.number(), max: z.number(), waiting: z.number() }).readonly(),
    }),
    /** The share of its processors that it used last, and usually, from 0 to 1. */
    ofProcess.extend({ resource: z.literal("cpu"), share: z.number(), usual: z.number() }),
    ofProcess.extend({ resource: z.literal("exit"), lastAt: z.string(), othersReporting: z.number() }),
    ofProcess.extend({
      resource: z.literal("restart"),
      at: z.string(),
      /** The previous process on the same host, which last reported before this one started. */
      previous: z.object({ lastAt: z.string(), shutDownCleanly: z.boolean() }).readonly(),
    }),
  ])
  .readonly();

/** What the heartbeats or metrics of a process show, or that they stopped. */
export type ProcessState = z.output<typeof processStateSchema>;

/** The words for an unhealthy process. */
const processLink: LinkWords<{ readonly state: ProcessState }> = {
  what: ({ state }) => processText(state),
  fix: ({ state }) => {
    const { service, resource } = state;
    if (resource === "restart") return null;
    if (resource === "cpu")
      return { title: `Start more processes of ${inlineCode(service)}`, detail: `${capital(processText(state))}.` };
    return {
      title: `Restart ${processOf(state)}`,
      detail: `${capital(processText(state))}.`,
    };
  },
  prevent: ({ state: { service, resource } }) => {
    if (resource === "memory")
      return {
        title: `Find what ${inlineCode(service)} keeps in memory`,
        detail: "Take a heap snapshot early and one when memory is half full, and compare what grew.",
      };
    if (resource === "event-loop")
      return {
        title: `Find what blocks the event loop of ${inlineCode(service)}`,
        detail: "Profile the process under load, and move long computations to a worker thread.",
      };
    if (resource === "pool")
      return {
        title: `Find which code of ${inlineCode(service)} keeps its connections`,
        detail: "Look for paths that don't release a connection, and for slow statements that hold one.",
      };
    if (resource === "cpu")
      return {
        title: `Find what keeps the processors of ${inlineCode(service)} busy`,
        detail: "Profile the process under load.",
      };
    return resource === "exit"
      ? {
          title: `Find out how ${inlineCode(service)} ended`,
          detail: "Keep its exit code and last log lines, and have a supervisor restart it.",
        }
      : null;
  },
  confirmedBy: ({ state }) =>
    state.resource === "restart" || state.resource === "cpu"
      ? null
      : `the failure stops after ${processOf(state)} is restarted`,
  ruledOutBy: ({ state }) =>
    state.resource === "restart" ? null : `the failure also occurs in processes other than ${processOf(state)}`,
};

const fact = factKind({
  name: "process-state",
  means:
    "What heartbeats and metrics show of a process: its memory, event loop, processors, and pool of connections, a restart, or that they stopped",
  data: z.object({ state: processStateSchema }),
  example: {
    state: {
      service: "orders",
      instance: "instance-2",
      host: "host-1",
      own: true,
      severity: 0.4,
      resource: "restart",
      at: "2026-03-01T09:59:00.000Z",
      previous: { lastAt: "2026-03-01T09:58:30.000Z", shutDownCleanly: false },
    },
  },
  evidence: ({ state }) => processText(state),
  figures: ({ state }) => figuresOf(state),
  isComputed: true,
  problems: ({ state }) => problemsOf(state),
  isSupport: ({ state }, failure) => {
    if (state.resource === "restart") return state.own && !failure.isAfterFailure(state.at, timeErrorMs.start);
    const isSlowness = state.resource === "event-loop" || state.resource === "cpu";
    return !isSlowness || !state.own || failure.isAnnounced || slow.has(failure.said);
  },
  weights: ["unwellProcess", "unrelated", "restarted"],
  reason: ({ state }, failure) => ({
    service: state.service,
    weight: weightOf(state, failure),
    category: state.severity >= tellingSeverity && canCause(state, failure) ? categories[state.resource] : null,
  }),
  predicts: ({ state }) => (state.resource === "memory" && state.own ? ["memory-climbs", "restart-clears"] : []),
});

export const processState = linked(fact, processLink);

function problemsOf(state: ProcessState): readonly string[] {
  if (state.resource === "restart" && isLater(state.previous.lastAt, state.at))
    return ["the previous process was seen after the next one began"];
  if (state.resource === "memory" && state.of === "process" && state.limitBytes !== null)
    return ["the memory of a whole process is compared with the limit of its heap"];
  if (state.resource === "cpu" && state.share > 1) return ["more than all processors were in use"];
  return [];
}

/** From this severity on, the state determines the category of the failure. */
export const tellingSeverity = 0.6;

const categories = {
  memory: "resource-exhaustion",
  "event-loop": "infinite-loop",
  pool: "resource-exhaustion",
  cpu: "resource-exhaustion",
  exit: "dependency-outage",
  restart: null,
} as const;

/** A process that waits for connections or processors fails by waiting; a code's own error has another cause. */
function canCause(
  { resource, own }: ProcessState,
  { said, isAnnounced }: Pick<FailureView<never>, "said" | "isAnnounced">,
): boolean {
  const isWait = resource === "pool" || resource === "cpu";
  return !isWait || !own || isAnnounced || waits.has(said);
}

/** Failures that a process which got too little time explains. */
const slow: ReadonlySet<string> = new Set([
  "timeout",
  "resource-exhaustion",
  "infinite-loop",
  "dependency-outage",
  "unknown",
]);

const waits: ReadonlySet<string> = new Set(["timeout", "resource-exhaustion", "unknown"]);

function weightOf(state: ProcessState, failure: FailureView<"unwellProcess" | "unrelated" | "restarted">): number {
  const { service, resource, own, severity } = state;
  const { worth, said, isAnnounced } = failure;
  if (state.resource === "restart") {
    if (failure.isAfterFailure(state.at, timeErrorMs.start)) return 0;
    // A process of the service that was restarted for no known release may have new settings.
    if (own) return failure.hasOwnRelease ? 0 : worth.restarted;
  }
  // The state of the service's own process matters when the error is of that category or unknown; that of another
  // service, when calls to it failed. Old processes that stopped without a last message mostly come with a release, which
  // counts on its own.
  const isAnySaid = isAnnounced && resource !== "exit" && resource !== "restart";
  const isWait = (resource === "pool" || resource === "cpu") && said === "timeout";
  const isOfKind = isAnySaid || isWait || severity === 1 || categories[resource] === said;
  const fits = own ? isOfKind : failure.isFailing(service);
  return worth.unwellProcess * severity * (fits ? 1 : worth.unrelated);
}

function figuresOf(state: ProcessState): readonly (string | number)[] {
  if (state.resource === "event-loop") return [Math.round(state.delayMs)];
  if (state.resource === "cpu") return [percent(state.share), percent(state.usual)];
  if (state.resource === "pool") return [state.pool.used, state.pool.max, state.pool.waiting];
  if (state.resource !== "memory") return [];
  const { fromBytes, toBytes, limitBytes } = state;
  return [bytes(fromBytes), bytes(toBytes), ...(limitBytes === null ? [] : [percent(toBytes / limitBytes)])];
}

/** Returns the name of a process. */
function processOf({ service, host }: ProcessState): string {
  return `${inlineCode(service)}${onHosts([host])}`;
}

/** Returns what the heartbeats show about a process, as a clause. */
function processText(state: ProcessState): string {
  const where = processOf(state);
  switch (state.resource) {
    case "memory": {
      const { of, fromBytes, toBytes, limitBytes, since, climbs } = state;
      const memory = of === "heap" ? "the heap" : "memory";
      const share = limitBytes === null ? "" : `, ${percent(toBytes / limitBytes)} of its limit`;
      return climbs
        ? `${memory} of ${where} grew from ${bytes(fromBytes)} to ${bytes(toBytes)} since ${since}${share}`
        : `${memory} of ${where} was at ${bytes(toBytes)}${share}`;
    }
    case "event-loop":
      return `the event loop of ${where} was blocked for ${Math.round(state.delayMs)} ms`;
    case "pool": {
      const { name, used, max, waiting } = state.pool;
      const pool =
        name === "" ? `the connection pool of ${where}` : `the connection pool ${inlineCode(name)} of ${where}`;
      const waits = waiting === 0 ? "" : `, and ${count(waiting, "request")} ${waiting === 1 ? "was" : "were"} waiting`;
      return `${pool} had ${used}${max === 0 ? "" : ` of ${max}`} connections in use${waits}`;
    }
    case "cpu":
      return `${where} used ${percent(state.share)} of its processors, and usually ${percent(state.usual)}`;
    case "exit": {
      const others =
        state.othersReporting === 0
          ? "none of its other processes reports"
          : `${state.othersReporting} of its other processes still ${state.othersReporting === 1 ? "reports" : "report"}`;
      return `${where} has sent nothing since ${state.lastAt} and didn't report a shutdown; ${others}`;
    }
    case "restart":
      return `${where} restarted at ${state.at}; the process before it ${state.previous.shutDownCleanly ? "shut down cleanly" : "stopped without shutting down"} and was last seen at ${state.previous.lastAt}`;
  }
}
