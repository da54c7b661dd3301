import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Incident } from "@whence/protocol";
import { Customers } from "./customers.ts";
import type { Fault } from "./fault.ts";
import { inject, type Stage, startNoise } from "./inject.ts";
import { isNoise } from "./noise.ts";
import { Outside } from "./outside.ts";
import { randomNumbers } from "./random.ts";
import { type Omission, Releases } from "./releases.ts";
import { RunningShop } from "./running-shop.ts";
import { copyShop } from "./shop-copy.ts";
import type { ReportedError, TelemetryTap } from "./telemetry-tap.ts";
import type { Turns } from "./turns.ts";
import type { Whence } from "./whence.ts";

/** Without the fault, so that each service has sent a heartbeat with its release. */
const healthyMs = 8_000;
/** After the injection, and after the first report: what else opens is counted. */
const watchMs = 15_000;
const watchAfterReportMs = 6_000;
/** Without a report by then, there is none. Far above what a busy machine takes. */
const reportDeadlineMs = 240_000;
const pollIntervalMs = 250;

/** What everything needs. */
export interface Bench {
  readonly whence: Whence;
  readonly tap: TelemetryTap;
  /** Copies of the shop go below it. */
  readonly folder: string;
  readonly seed: number;
  readonly without?: Omission | undefined;
  /** One shop starts at a time: many at once would take longer than those that run can bear. */
  readonly starts: Turns;
  /** Ends all that runs. */
  readonly signal: AbortSignal;
}

/** What was seen of one fault. */
export interface FaultRun {
  readonly fault: Fault;
  readonly injectedAt: number;
  /** Of the fault: opened since the injection, and not by noise. The first one is what people would be notified about. */
  readonly incidents: readonly Incident[];
  /** Opened by decoys, or before the injection. */
  readonly otherIncidents: number;
  readonly errors: readonly ReportedError[];
  /** Printed by the services; for a fault that did not show. */
  readonly output: string;
}

/** The slug of an attempt's organization, and the folder of its shop. */
function runName(fault: Fault, attempt: number): string {
  return `${fault.name}-${attempt}`;
}

/** Starts a shop of its own in an organization of its own, breaks it, and waits for what the service makes of it. */
export async function runFault(
  fault: Fault,
  attempt: number,
  { whence, tap, folder, seed, without, starts, signal }: Bench,
): Promise<FaultRun> {
  await using opened = new AsyncDisposableStack();
  const name = runName(fault, attempt);
  const apiKey = await whence.newOrganization(name);
  const copy = await copyShop(join(folder, name));
  const outside = opened.use(await Outside.open());
  const surroundings = { apiKey, telemetryUrl: tap.url, outsidePort: outside.port };
  const releases = new Releases(copy.folder, { url: whence.url, apiKey }, without, signal);
  const shop = opened.use(
    await starts.take(async () => {
      await releases.uploadFirst(fault);
      return RunningShop.start(copy, surroundings, fault.settings ?? {});
    }),
  );
  const ended = new AbortController();
  opened.defer(() => ended.abort());
  const customers = new Customers(shop.addressOf("storefront"), randomNumbers(seed));
  const stage: Stage = { copy, releases, shop, outside, customers, signal: ended.signal };

  customers.start(ended.signal);
  startNoise(fault.decoys, "start", stage);
  await delay(healthyMs, undefined, { signal });
  const injectedAt = Date.now();
  await inject(fault, stage);
  const seen = await watch(fault, { injectedAt, shop, signal }, () => whence.incidents(apiKey));
  const incidents = await Promise.all(
    seen.filter((incident) => isOfFault(incident, injectedAt)).map(({ id }) => whence.incident(apiKey, id)),
  );
  return {
    fault,
    injectedAt,
    incidents,
    otherIncidents: seen.length - incidents.length,
    errors: tap.errorsOf(apiKey),
    output: shop.output(),
  };
}

/** Looks until the first incident of the fault has its refined report and others had the time to open; what there is then. */
async function watch(
  { causedBy, watchSeconds = 0, diesWithinSeconds = 0 }: Fault,
  { injectedAt, shop, signal }: { injectedAt: number; shop: RunningShop; signal: AbortSignal },
  look: () => Promise<readonly Incident[]>,
): Promise<readonly Incident[]> {
  for (let reportedAt = Number.POSITIVE_INFINITY; ; ) {
    const seen = await look();
    const now = Date.now();
    const from =
      diesWithinSeconds === 0 ? injectedAt : (shop.diedAt(causedBy) ?? injectedAt + diesWithinSeconds * 1_000);
    const watchUntil = from + Math.max(watchMs, watchSeconds * 1_000);
    const deadline = from + Math.max(reportDeadlineMs, watchSeconds * 1_000);
    const first = seen.find((incident) => isOfFault(incident, injectedAt));
    if (hasEnded(first)) reportedAt = Math.min(reportedAt, now);
    if ((now > watchUntil && now > reportedAt + watchAfterReportMs) || now > deadline) return seen;
    await delay(pollIntervalMs, undefined, { signal });
  }
}

function hasEnded(incident: Incident | undefined): boolean {
  if (incident?.status !== "completed") return incident?.status === "failed";
  // What other services sent is in the report.
  const { refinement } = incident;
  return refinement === undefined || !refinement.refining || refinement.refined_at !== null;
}

function isOfFault({ created_at: at, title }: Incident, injectedAt: number): boolean {
  return Date.parse(at) >= injectedAt && !isNoise(title);
}
