import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { Incident, IncidentStep } from "@whence/protocol";
import type { FastifyReply } from "fastify";
import type { StreamPlace } from "../limits/stream-places.ts";

/** The minimum interval between polls for the next version of an existing report. */
const refinedPollIntervalMs = 1_000;
/** Proxies close silent connections. */
const keepAliveIntervalMs = 15_000;

export interface IncidentSource {
  /** Returns null once the reader may no longer see it. */
  read(): Promise<Incident | null>;
  steps(afterSeq: number): Promise<readonly IncidentStep[]>;
  /** The last step that the reader has seen, 0 for none. */
  readonly resumeAfter: number;
  readonly openStreams: { inc(): void; dec(): void };
  readonly place: Pick<StreamPlace, "lookIntervalMs">;
}

/**
 * Streams server-sent events: each step as `step` with its number as id, then the incident as `incident` with its first
 * report, and again with each later version until its report is final, or the incident failed or was merged. The stream
 * also ends when the reader disconnects or may no longer see it, and when the server stops.
 */
export function incidentStream(reply: FastifyReply, source: IncidentSource, stopping: AbortSignal): FastifyReply {
  const readerLeft = new AbortController();
  source.openStreams.inc();
  reply.raw.once("close", () => {
    source.openStreams.dec();
    readerLeft.abort();
  });
  reply.header("content-type", "text/event-stream; charset=utf-8").header("cache-control", "no-store");
  return reply.send(Readable.from(messages(source, AbortSignal.any([stopping, readerLeft.signal]))));
}

async function* messages(source: IncidentSource, signal: AbortSignal): AsyncGenerator<string> {
  let seen = source.resumeAfter;
  let silentMs = 0;
  let sent = "";
  // Headers are sent with the first byte, which tells the reader that the stream is open.
  yield ": following\n\n";
  while (!signal.aborted) {
    // Read before the steps: a finished incident has all its steps stored.
    const incident = await source.read();
    if (!incident) return;
    const steps = await source.steps(seen);
    for (const step of steps) yield message("step", step, step.seq);
    seen = steps.at(-1)?.seq ?? seen;
    const state = hasEnded(incident) ? stateOf(incident) : sent;
    const isNews = state !== sent || steps.length > 0;
    if (state !== sent) yield message("incident", incident);
    sent = state;
    if (hasEnded(incident) && !incident.refinement?.refining) return;
    const lookMs = source.place.lookIntervalMs();
    const intervalMs = hasEnded(incident) ? Math.max(refinedPollIntervalMs, lookMs) : lookMs;
    silentMs = isNews ? 0 : silentMs + intervalMs;
    if (silentMs >= keepAliveIntervalMs) {
      silentMs = 0;
      yield ": waiting\n\n";
    }
    // Rejects only when the signal is aborted, which the loop then sees.
    await delay(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

function hasEnded({ status }: Incident): boolean {
  return status !== "queued" && status !== "investigating";
}

/** Returns the part of an incident whose changes are sent again. */
function stateOf({ status, refinement, lifecycle }: Incident): string {
  return `${status} ${refinement?.version} ${refinement?.refining} ${lifecycle.state} ${lifecycle.since}`;
}

function message(event: string, data: IncidentStep | Incident, id?: number): string {
  const head = id === undefined ? "" : `id: ${id}\n`;
  return `${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
