import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Incident, Location, PlaceWatch, Watched } from "@whence/protocol";
import { runningServices } from "../../examples/shop/demo/shop.ts";
import { Customers } from "../faults/customers.ts";
import type { Fault, Settings } from "../faults/fault.ts";
import { inject } from "../faults/inject.ts";
import { Outside } from "../faults/outside.ts";
import { randomNumbers } from "../faults/random.ts";
import { Releases } from "../faults/releases.ts";
import type { Bench } from "../faults/run-fault.ts";
import { RunningShop } from "../faults/running-shop.ts";
import { copyShop } from "../faults/shop-copy.ts";

/** As published: what follows an order is loaded when the first one comes. */
const builtClient = join(import.meta.dirname, "../../sdks/node/dist/register.js");
/** With this pause between what customers do, the storefront answers about 30 requests a second. */
const flowIntervalMs = 75;
const healthyMs = 8_000;
const pollIntervalMs = 250;
const reportDeadlineMs = 240_000;
const verdictDeadlineMs = 60_000;
/** How many of the failures that carried something are printed with it. */
const shownFailuresMax = 3;

/** What became of watching one fault. */
export interface WatchedFault {
  /** The place that led the report before, with its confidence. */
  readonly before: string;
  /** The verdict with its place, or why there is none. */
  readonly verdict: string;
  /** Which of the failures since a process was armed was the first to carry what was seen. */
  readonly failuresUntilSeen: number | undefined;
  /** Since a process was armed. */
  readonly secondsUntilTold: number | undefined;
  readonly processes: string;
}

/** Breaks a shop under load, watches what its first report names, and waits until the report says what was seen. */
export async function watchFault(fault: Fault, { whence, tap, folder, seed, signal }: Bench): Promise<WatchedFault> {
  await using opened = new AsyncDisposableStack();
  const apiKey = await whence.newOrganization(fault.name);
  const copy = await copyShop(join(folder, fault.name));
  const outside = opened.use(await Outside.open());
  const releases = new Releases(copy.folder, { url: whence.url, apiKey }, undefined, signal);
  await releases.uploadFirst(fault);
  const surroundings = { apiKey, telemetryUrl: tap.url, outsidePort: outside.port, client: builtClient };
  const shop = opened.use(await RunningShop.start(copy, surroundings, allowed(fault.settings ?? {})));
  const customers = new Customers(shop.addressOf("storefront"), randomNumbers(seed), flowIntervalMs);
  const ended = new AbortController();
  opened.defer(() => ended.abort());
  customers.start(ended.signal);
  await delay(healthyMs, undefined, { signal });
  const injectedAt = Date.now();
  await inject(fault, { ...{ copy, releases, shop, outside, customers }, signal: ended.signal });

  // Beside the fault, there are failures that occur all along.
  const services = new Set(fault.files.map((file) => file.split("/")[0]));
  const isOfFault = ({ created_at: at, service }: Incident): boolean =>
    Date.parse(at) >= injectedAt && service !== null && services.has(service);
  const first = await until(reportDeadlineMs, signal, async () => {
    const listed = (await whence.incidents(apiKey)).filter(isOfFault);
    const incidents = await Promise.all(listed.map(({ id }) => whence.incident(apiKey, id)));
    const isWatchable = ({ status, report }: Incident): boolean =>
      status === "completed" && (report?.watch ?? []).some(({ sha256 }) => sha256 !== null);
    return incidents.find(isWatchable);
  });
  if (!first) return unwatched("none", "no report with places");
  const before = leading(first);
  await whence.startWatch(apiKey, first.id);
  const armed = await until(verdictDeadlineMs, signal, async () => {
    const { watch } = await whence.watchOf(apiKey, first.id);
    return watch && watch.processes.armed > 0 ? watch : undefined;
  });
  if (!armed) return unwatched(before, (await whence.watchOf(apiKey, first.id)).watch?.process?.reason ?? "not armed");
  console.error(`${fault.name}: ${first.title}\n  watched: ${armed.places.map(placeText).join(", ")}`);
  const armedAt = Date.parse(armed.process?.at ?? "");
  const told = await until(verdictDeadlineMs, signal, async () => {
    const incident = await whence.incident(apiKey, first.id);
    return incident.report?.candidates.some(({ seen }) => seen) ? incident : undefined;
  });
  const since = tap
    .errorsOf(apiKey)
    .filter(({ service, at, message }) => service === first.service && at >= armedAt && isSame(message, first.title));
  const { watch } = await whence.watchOf(apiKey, first.id);
  const carried = since.flatMap(({ watched }, index) => (watched ? [{ watched, failure: index + 1 }] : []));
  console.error(`  ${carried.length} of ${since.length} failures carried what was seen`);
  for (const { watched, failure } of carried.slice(0, shownFailuresMax)) console.error(seenText(failure, watched));
  const last = told ?? (await whence.incident(apiKey, first.id));
  for (const { location, score, seen = "undecided", support } of last.report?.candidates ?? [])
    console.error(
      `  ${location ? placeText(location) : "–"} ${Math.round(score * 100)}% ${seen}: ${support.join("; ")}`,
    );
  return {
    before,
    verdict: told ? verdictOf(told) : `undecided in ${since.length} failures`,
    failuresUntilSeen: carried[0]?.failure,
    secondsUntilTold: told && (Date.now() - armedAt) / 1_000,
    processes: watch ? processesText(watch) : "",
  };
}

/** Returns a shop's settings with each service allowing that places are watched. */
function allowed(settings: NonNullable<Fault["settings"]>): Partial<Record<string, Settings>> {
  return Object.fromEntries(
    runningServices().map((service) => [service, { ...settings[service], WHENCE_WATCH_PLACES: "1" }]),
  );
}

function processesText({ processes, process }: PlaceWatch): string {
  const counts = Object.entries(processes).map(([state, count]) => `${count} ${state}`);
  return [...counts, ...(process?.reason ? [`the last because ${process.reason}`] : [])].join(", ");
}

function placeText({ file, line, function: name }: Omit<Location, "line"> & { readonly line: number | null }): string {
  return `${file}:${line}${name === null ? "" : ` (${name})`}`;
}

/** Returns what one failure carried, a stop a line. */
function seenText(failure: number, watched: Watched): string {
  const partly = watched.places.filter((place) => !place.is_complete).map(({ place }) => place);
  const stops = watched.hits.map(({ kind, returned, values, ...at }) => {
    const named = Object.entries(values).map(([name, value]) => `${name}=${value}`);
    return `    ${kind} ${placeText(at)}${returned === undefined ? "" : ` -> ${returned}`} ${named.join(" ")}`;
  });
  return [`  failure ${failure}, places not complete: ${partly.join(" ") || "none"}`, ...stops].join("\n");
}

function unwatched(before: string, verdict: string): WatchedFault {
  return { before, verdict, failuresUntilSeen: undefined, secondsUntilTold: undefined, processes: "" };
}

/** Whether a message is the one that an incident's title ends with, which may be cut. */
function isSame(message: string, title: string): boolean {
  return title.includes(message.slice(0, 40));
}

function leading({ report }: Incident): string {
  const [first] = report?.candidates ?? [];
  return first ? `${first.location?.file ?? first.category} ${Math.round(first.score * 100)}%` : "none";
}

function verdictOf({ report }: Incident): string {
  return (report?.candidates ?? [])
    .filter(({ seen }) => seen)
    .map(
      ({ seen, location }) => `${seen} ${location?.function ?? ""} (${location?.file ?? "–"}:${location?.line ?? ""})`,
    )
    .join("; ");
}

async function until<Found>(
  deadlineMs: number,
  signal: AbortSignal,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (const end = Date.now() + deadlineMs; Date.now() < end; ) {
    const found = await look();
    if (found !== undefined) return found;
    await delay(pollIntervalMs, undefined, { signal });
  }
  return undefined;
}
