import { setTimeout as delay } from "node:timers/promises";
import { type Incident, incidentSchema } from "@whence/protocol";
import { DemoError } from "./demo-error.ts";
import type { ShopService, Telemetry } from "./shop.ts";

const reportDeadlineMs = 120_000;
const pollIntervalMs = 100;

interface IncidentPage {
  readonly incidents?: unknown;
}

/** Resolves with the first incident of a service since a time, once its report includes what other services sent. */
export async function awaitReport(
  server: Telemetry,
  service: ShopService,
  sinceMs: number,
  signal: AbortSignal,
): Promise<Incident> {
  let seen: Incident | undefined;
  for (const deadline = Date.now() + reportDeadlineMs; Date.now() < deadline; ) {
    seen = (await listIncidents(server, signal, service)).findLast(
      ({ created_at }) => Date.parse(created_at) >= sinceMs,
    );
    if (seen?.status === "failed" || (seen?.status === "completed" && isRefined(seen)))
      return readIncident(server, seen.id, signal);
    await delay(pollIntervalMs, undefined, { signal });
  }
  const waited = `within ${reportDeadlineMs / 1000} s`;
  throw new DemoError(
    seen
      ? `the incident ${seen.id} is still ${seen.status}: no report ${waited}`
      : `the failure of ${service} opened no incident ${waited}`,
  );
}

function isRefined({ refinement }: Incident): boolean {
  return refinement === undefined || !refinement.refining || refinement.refined_at !== null;
}

/** Returns the incidents without their reports, newest first, of one service or of all. */
export async function listIncidents(
  server: Telemetry,
  signal: AbortSignal,
  service?: ShopService,
): Promise<readonly Incident[]> {
  const page = (await ask(server, `/api/incidents${service ? `?service=${service}` : ""}`, signal)) as IncidentPage;
  return incidentSchema.array().parse(page.incidents);
}

/** Returns an incident as it is now, with its report. */
export async function readIncident(server: Telemetry, id: string, signal: AbortSignal): Promise<Incident> {
  return incidentSchema.parse(await ask(server, `/api/incidents/${id}`, signal));
}

async function ask({ url, apiKey }: Telemetry, path: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url + path, { headers: { "x-api-key": apiKey }, signal });
  if (!response.ok) throw new DemoError(`GET ${path} of the server is ${response.status}: ${await response.text()}`);
  return response.json();
}
