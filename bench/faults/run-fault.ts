import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Incident } from "@whence/protocol";
import { Customers } from "./customers.ts";
import { EngineReports } from "./engine-reports.ts";
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

/** Time without the fault, for each service to send a heartbeat with its release. */
const healthyMs = 8_000;
/** Time after the injection, and after the first report, in which further incidents are counted. */
const watchMs = 15_000;
const watchAfterReportMs = 6_000;
/** Without a report by then, there is none. Far above what a busy machine needs. */
const reportDeadlineMs = 240_000;
const pollIntervalMs = 250;

/** Shared by all runs. */
export interface Bench {
  readonly whence: Whence;
  readonly tap: TelemetryTap;
  /** The parent folder of the copies of the shop. */
  readonly folder: string;
  readonly seed: number;
  readonly without?: Omission | undefined;
  readonly isModelAsked?: boolean | undefined;
  /** Starts one shop at a time: several at once would slow down those that are running. */
  readonly starts: Turns;
  /** Ends everything when aborted. */
  readonly signal: AbortSignal;
}

/** The observations of one fault. */
export interface FaultRun {
  readonly fault: Fault;
  readonly injectedAt: number;
  /** The fault's incidents: opened since the injection, and not by noise. People would be notified of the first one. */
  readonly incidents: readonly Incident[];
  /** The same with the reports from before a model was asked. */
  readonly byEngine: readonly Incident[];
  /** The number of incidents opened by decoys, or before the injection. */
  readonly otherIncidents: number;
  readonly errors: readonly ReportedError[];
  /** The output of the services, for a fault without an effect. */
  readonly output: string;
}

/** Returns the slug of an attempt's organization and of its shop's folder. */
function runName(fault: Fault, attempt: number): string {
  return `${fault.name}-${attempt}`;
}

/** Starts a shop in its own organization, breaks it, and waits for the service's reports. */
export async function runFault(
  fault: Fault,
  attempt: number,
  { whence, tap, folder, seed, without, isModelAsked, starts, signal }: Bench,
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
  const byEngine = new EngineReports((id) => whence.incident(apiKey, id));
  const seen = await watch(fault, { injectedAt, shop, signal }, async () => {
    const listed = await whence.incidents(apiKey);
    if (isModelAsked) await byEngine.look(listed);
    return listed;
  });
  const incidents = await Promise.all(
    seen.filter((incident) => isOfFault(incident, injectedAt)).map(({ id }) => whence.incident(apiKey, id)),
  );
  return {
    fault,
    injectedAt,
    incidents,
    byEngine: incidents.map((incident) => byEngine.last(incident)),
    otherIncidents: seen.length - incidents.length,
    errors: tap.errorsOf(apiKey),
    output: shop.output(),
  };
}

/**
 * Polls until the fault's first incident has its refined report and others had time to open; returns what there is
 * then.
 */
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
  // The report includes what other services sent.
  const { refinement } = incident;
  return refinement === undefined || !refinement.refining || refinement.refined_at !== null;
}

function isOfFault({ created_at: at, title }: Incident, injectedAt: number): boolean {
  return Date.parse(at) >= injectedAt && !isNoise(title);
}
