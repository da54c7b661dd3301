import { setTimeout as delay } from "node:timers/promises";
import { incidentSchema } from "@whence/protocol";
import { z } from "zod";
import type { Sent } from "./load.ts";

/** Each look counts all events of the load, and reads all incidents. */
const lookIntervalMs = 1_000;
const pageSchema = z.object({ incidents: z.array(incidentSchema), next: z.string().nullable() });
const deliveriesSchema = z.object({
  deliveries: z.array(z.object({ received: z.int(), last_seq: z.int(), missing_events: z.int() })),
});

/** The outcome of a load's events and failures. */
export interface Outcome {
  readonly acknowledged: number;
  readonly stored: number;
  readonly lost: number;
  /** Events that a reader would count more than once, and incidents beyond one for each failure. */
  readonly duplicated: number;
  readonly failures: number;
  readonly incidents: number;
  /** Time from the call until everything was stored and every report existed. */
  readonly settledMs: number;
}

export interface OutcomeOptions {
  readonly url: string;
  readonly key: string;
  readonly instance: string;
  readonly sent: Sent;
  readonly clickHouseUrl: string;
  readonly deadlineMs: number;
}

/**
 * Waits until every acknowledged event is stored and every failure has its report, or until the deadline; then counts.
 * Rows are counted as a reader counts them, after the merge.
 */
export async function outcomeOf(options: OutcomeOptions): Promise<Outcome> {
  const { sent, deadlineMs } = options;
  const begin = performance.now();
  const wanted = new Set(sent.fingerprints);
  for (;;) {
    const [rows, incidents] = await Promise.all([storedIds(options), incidentsOf(options)]);
    const stored = new Set(rows);
    const lost = sent.events.filter((id) => !stored.has(id)).length;
    const own = incidents.filter(({ fingerprint }) => fingerprint !== null && wanted.has(fingerprint));
    const reported = new Set(
      own.filter(({ status }) => status === "completed").map((incident) => incident.fingerprint),
    );
    const settledMs = performance.now() - begin;
    const isSettled = lost === 0 && reported.size === wanted.size;
    if (isSettled || settledMs > deadlineMs) {
      return {
        acknowledged: sent.events.length,
        stored: stored.size,
        lost,
        duplicated: rows.length - stored.size + Math.max(0, own.length - wanted.size),
        failures: wanted.size,
        incidents: reported.size,
        settledMs,
      };
    }
    await delay(lookIntervalMs);
  }
}

async function storedIds({ clickHouseUrl, instance }: OutcomeOptions): Promise<string[]> {
  const query = "SELECT id FROM whence.events FINAL WHERE instance = {instance:String} FORMAT TabSeparated";
  const answer = await fetch(`${clickHouseUrl}/?${new URLSearchParams({ query, param_instance: instance })}`);
  if (!answer.ok) throw new Error(`ClickHouse: ${answer.status} ${await answer.text()}`);
  return (await answer.text()).split("\n").filter((line) => line !== "");
}

async function incidentsOf({ url, key }: OutcomeOptions): Promise<z.infer<typeof incidentSchema>[]> {
  const found: z.infer<typeof incidentSchema>[] = [];
  for (let before = ""; ; ) {
    const answer = await fetch(`${url}/api/incidents?limit=100${before}`, { headers: { "x-api-key": key } });
    const { incidents, next } = pageSchema.parse(await answer.json());
    found.push(...incidents);
    if (next === null) return found;
    before = `&before=${next}`;
  }
}

/** Returns the service's own account of a process's deliveries. */
export async function deliveryAccount(
  url: string,
  key: string,
  instance: string,
): Promise<z.infer<typeof deliveriesSchema>["deliveries"][number] | undefined> {
  const answer = await fetch(`${url}/api/deliveries?${new URLSearchParams({ instance })}`, {
    headers: { "x-api-key": key },
  });
  return deliveriesSchema.parse(await answer.json()).deliveries[0];
}
