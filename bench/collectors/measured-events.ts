import type { ScopedEvents } from "@whence/storage";
import type { Session } from "chdb";
import { failureTotals } from "../../services/storage/src/events/queries/failure-totals.ts";
import { findEvents } from "../../services/storage/src/events/queries/find-events.ts";
import type { Ask } from "../../services/storage/src/events/queries/query.ts";
import { surroundings } from "../../services/storage/src/events/queries/surroundings.ts";

/** One query to the engine. */
export interface Asked {
  readonly question: string;
  readonly ms: number;
  /** CPU time of all the engine's threads, without other processes. */
  readonly cpuMs: number;
  readonly rowsRead: number;
  readonly bytesRead: number;
}

type Questions = Pick<ScopedEvents, "find" | "failure" | keyof ReturnType<typeof surroundings>>;

/** Returns the store's own queries, run one after another; `tell` gets the cost of each. */
export function measuredEvents(engine: Session, scopeId: string, tell: (asked: Asked) => void): Questions {
  const askAs =
    (question: string): Ask =>
    async (query, parameters) => {
      const bound = Object.fromEntries(
        Object.entries({ ...parameters, database: "whence" }).map(([name, value]) => [name, parameterText(value)]),
      );
      const [begin, cpu] = [performance.now(), process.cpuUsage()];
      const answer = JSON.parse(engine.queryBind(query, bound, "JSON"));
      const { rows_read: rowsRead, bytes_read: bytesRead } = answer.statistics;
      const { user, system } = process.cpuUsage(cpu);
      tell({ question, ms: performance.now() - begin, cpuMs: (user + system) / 1_000, rowsRead, bytesRead });
      return answer.data;
    };
  const of = (question: string) => surroundings(askAs(question), scopeId);
  return {
    activity: (window) => of("activity").activity(window),
    spread: (window) => of("spread").spread(window),
    circumstances: (filter) => of(`circumstances ${nameOf(filter)}`).circumstances(filter),
    failures: (filter) => of("failures").failures(filter),
    failingTraces: (filter) => of("failing traces").failingTraces(filter),
    releases: (filter) => of("releases").releases(filter),
    lives: (filter) => of("lives").lives(filter),
    vitals: (filter) => of("vitals").vitals(filter),
    measuredRates: (filter) => of("measured rates").measuredRates(filter),
    measuredQueues: (filter) => of("measured queues").measuredQueues(filter),
    answers: (filter) => of("answers").answers(filter),
    spans: (filter) => of("spans").spans(filter),
    answeredHosts: (span) => of("answered hosts").answeredHosts(span),
    find: (filter) => findEvents(askAs("find"), scopeId, filter),
    failure: (fingerprint, until) => failureTotals(askAs("failure"), scopeId, { fingerprint, until }),
  };
}

function nameOf(filter: Parameters<Questions["circumstances"]>[0]): string {
  if (filter.traceIds !== undefined) return "of traces";
  if (filter.otherThan !== undefined) return "of others";
  return filter.perService === undefined ? "of this failure" : "of all services";
}

function parameterText(value: unknown): unknown {
  return Array.isArray(value) ? `[${value.map((one) => `'${String(one)}'`).join(",")}]` : value;
}
