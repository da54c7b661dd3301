import { type Observation, observeQuery, type QueriedTelemetry } from "@whence/engine";
import { minuteMs, utf8Length } from "@whence/protocol";
import type { ScopedEvents } from "@whence/storage";
import { z } from "zod";
import { modelRunLimits } from "./limits.ts";

/** A typed question to the telemetry of one scope. Never a query in a language. */
export const telemetryQuestionSchema = z.object({
  what: z.enum(["failures", "answers", "processes"]),
  service: z.string().max(200).nullish().describe("Needed for answers"),
  minutesBefore: z.int().min(1).max(240).describe("How far back from the failure"),
});
type TelemetryQuestion = z.infer<typeof telemetryQuestionSchema>;
type Rows = QueriedTelemetry["rows"];

/** The moment and place that questions are about. */
export interface AskedAround {
  readonly env: string;
  /** RFC 3339; null where it isn't known, and nothing is found. */
  readonly at: string | null;
}

/** Rows, and the evidence that they are. */
interface AnsweredQuery {
  readonly observation: Observation;
  readonly rows: Rows;
}

/** Answers the questions that the runs about an incident ask its scope's telemetry, and keeps what can be quoted. */
export class TelemetryQueries {
  readonly #events: ScopedEvents | null;
  readonly #around: AskedAround;
  readonly #answered = new Map<string, Observation>();

  /** Without events, as for a developer's error, nothing is found. */
  constructor(events: ScopedEvents | null, around: AskedAround) {
    this.#events = events;
    this.#around = around;
  }

  /** Everything that was answered so far. */
  get answered(): readonly Observation[] {
    return [...this.#answered.values()];
  }

  /** Returns the rows as evidence, newest or most frequent first, within a bound; null when there are none. */
  async ask({ what, service, minutesBefore }: TelemetryQuestion): Promise<AnsweredQuery | null> {
    const { env, at } = this.#around;
    if (!this.#events || at === null) return null;
    const from = new Date(Date.parse(at) - minutesBefore * minuteMs).toISOString();
    const to = new Date(Date.parse(at) + minuteMs).toISOString();
    const rows = withinBytes(await rowsOf(this.#events, { what, service: service || null, env, from, to }));
    if (rows.length === 0) return null;
    const observation = observeQuery({ what, env, from, to, rows });
    this.#answered.set(observation.sha256, observation);
    return { observation, rows };
  }
}

interface Asked extends Pick<QueriedTelemetry, "what" | "env" | "from" | "to"> {
  readonly service: string | null;
}

async function rowsOf(events: ScopedEvents, { what, service, ...span }: Asked): Promise<Rows> {
  const { rows: limit } = modelRunLimits;
  const isOf = (row: { readonly service: string }): boolean => service === null || row.service === service;
  switch (what) {
    case "failures":
      return (await events.failures({ ...span, limit })).filter(isOf).map((row) => ({ ...row }));
    case "answers":
      return service === null
        ? []
        : (await events.answers({ ...span, service })).slice(-limit).map((row) => ({ service, ...row }));
    case "processes":
      return (await events.processes({ env: span.env, since: span.from, limit }))
        .filter(isOf)
        .map((row) => ({ ...row }));
  }
}

/** The first rows that fit in what one tool may return. */
function withinBytes(rows: Rows): Rows {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += utf8Length(JSON.stringify(row)) + 1;
    return bytes > modelRunLimits.queriedBytes;
  });
  return end < 0 ? rows : rows.slice(0, end);
}
