import { setTimeout as delay } from "node:timers/promises";
import type { Incident } from "@whence/protocol";
import { awaitReport } from "./await-report.ts";
import { problemsOf } from "./check-report.ts";
import { outputTail, type RunningProcess } from "./child-process.ts";
import { customerOf } from "./customer.ts";
import { DemoError } from "./demo-error.ts";
import type { Fault } from "./faults.ts";
import { type Deploy, prepareRelease } from "./next-release.ts";
import { type Shop, startShop, type Telemetry } from "./shop.ts";
import { throwToReportMs } from "./timings.ts";
import { uploadSources } from "./upload-sources.ts";

const deathDeadlineMs = 30_000;

/** The result of one fault. */
export interface FaultRun {
  readonly fault: Fault;
  readonly incident: Incident;
  /** Time from the throw to the completed report; undefined when either is unknown. */
  readonly throwToReportMs: number | undefined;
  /** What is wrong with the report, one line each. */
  readonly problems: readonly string[];
}

/** Starts the shop with a fault, lets a customer run into it, and waits for the report. Always stops the shop. */
export async function runFault(fault: Fault, server: Telemetry, signal: AbortSignal): Promise<FaultRun> {
  await using opened = new AsyncDisposableStack();
  const shop = await startShop(server, fault.changes, signal);
  try {
    if (fault.deploy) await deploy(fault.deploy, { shop, server, opened, signal });
    const since = Date.now();
    const dying = fault.crashes ? shop.processes.get(fault.service) : undefined;
    await fault.trigger(customerOf(shop.url, signal));
    const survivor = await untilDead(dying);
    // A crashing process doesn't wait for a slow server: its next start sends what is left.
    if (dying?.hasEnded() && (await shop.hasUnsentEvents())) await shop.restart(fault.service);
    const incident = await awaitReport(server, fault.service, since, signal);
    const problems = [...problemsOf(incident, fault), ...survivor, ...wrongEnds(shop, dying)];
    return { fault, incident, throwToReportMs: throwToReportMs(incident), problems };
  } catch (error) {
    throw error instanceof DemoError ? withOutput(error, shop, fault) : error;
  } finally {
    await shop.stop();
  }
}

interface Stage {
  readonly shop: Shop;
  readonly server: Telemetry;
  readonly opened: AsyncDisposableStack;
  readonly signal: AbortSignal;
}

/** Serves a customer, then uploads and starts the next release. */
async function deploy(next: Deploy, { shop, server, opened, signal }: Stage): Promise<void> {
  const customer = customerOf(shop.url, signal);
  await customer.opens(await customer.buys("beans"));
  const prepared = await prepareRelease(next, opened);
  await uploadSources(prepared, server, signal);
  await shop.deploy(prepared);
}

/** Returns what to say of a process that should have died and didn't. */
async function untilDead(dying: RunningProcess | undefined): Promise<string[]> {
  if (!dying) return [];
  await Promise.race([dying.ended, delay(deathDeadlineMs, undefined, { ref: false })]);
  return dying.hasEnded() ? [] : [`${dying.name} should have died, but it runs`];
}

/** Returns the exits of all processes other than the one that had to die. */
function wrongEnds(shop: Shop, dying: RunningProcess | undefined): string[] {
  return [...shop.processes.values()].flatMap((running) =>
    running.hasEnded() && running !== dying ? [`${running.name} died. ${outputTail(running)}`] : [],
  );
}

function withOutput(error: DemoError, shop: Shop, fault: Fault): DemoError {
  const running = shop.processes.get(fault.service);
  return new DemoError(`${fault.name}: ${error.message}${running ? `\n${outputTail(running)}` : ""}`, { cause: error });
}
