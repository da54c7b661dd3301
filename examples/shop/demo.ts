import { once } from "node:events";
import { join } from "node:path";
import { styleText } from "node:util";
import { outputTail } from "./demo/child-process.ts";
import { DemoError } from "./demo/demo-error.ts";
import { type DemoOptions, readOptions, usage } from "./demo/options.ts";
import { findPython, withoutPython } from "./demo/python.ts";
import { type Paint, reportText } from "./demo/report-text.ts";
import { type FaultRun, runFault } from "./demo/run-fault.ts";
import { summaryText, toJson } from "./demo/summary.ts";
import { uploadShop } from "./demo/upload-sources.ts";
import { startWhenceServer, type WhenceServer } from "./demo/whence-server.ts";

const repository: string = join(import.meta.dirname, "../..");
const usageErrorCode = 2;
const interruptedCode = 130;

/** Styles text for a terminal, unless NO_COLOR is set. */
const paint: Paint = (style, text) => styleText(style, text, { stream: process.stdout });
const say = (text: string): void => console.log(text);
const sayAside = (text: string): void => console.error(text);

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const options = optionsOrProblem(args);
  if (typeof options === "string") {
    sayAside(`${options}\n\n${usage}`);
    return usageErrorCode;
  }
  if (options.help) {
    say(usage);
    return 0;
  }
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => interrupted.abort());
  // The reader of the output is gone (EPIPE): an unhandled error would end this process and leave the others running.
  process.stdout.on("error", () => interrupted.abort());
  try {
    return await demonstrate(options, interrupted.signal);
  } catch (error) {
    if (interrupted.signal.aborted) return interruptedCode;
    sayAside(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

function optionsOrProblem(args: readonly string[]): DemoOptions | string {
  try {
    return readOptions(args);
  } catch (error) {
    if (error instanceof DemoError) return error.message;
    throw error;
  }
}

/** Starts the service, injects the faults, and prints the results; stops everything at the end. */
async function demonstrate(options: DemoOptions, signal: AbortSignal): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const progress = options.json ? sayAside : say;
  if (findPython() === undefined) progress(withoutPython);
  progress("Starting Whence …");
  const server = await startWhenceServer(opened, signal);
  await uploadShop(server, signal);

  const runs: FaultRun[] = [];
  for (const fault of options.faults) {
    progress(
      `\n${paint("bold", `▶ ${fault.name}`)}: ${fault.plays}.\n  Starting the shop, breaking it, waiting for the report …\n`,
    );
    const run = await runFault(fault, server, signal);
    runs.push(run);
    if (!options.json) say(reportText(run.incident, repository, paint));
  }
  say(options.json ? toJson(runs) : `\n${summaryText(runs)}`);
  if (options.keep) await keepOpen(server, runs.at(-1)?.incident.url ?? server.url, progress, signal);
  else progress("\nThe service stops now; with --keep it stays, so that a report opens in a browser.");
  return runs.some(({ problems }) => problems.length > 0) ? 1 : 0;
}

/** Resolves when the demo is interrupted; rejects when the service ends before. */
async function keepOpen(
  server: WhenceServer,
  reportUrl: string,
  progress: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const link = server.setupLink(new URL(reportUrl).pathname);
  progress(`\nWhence keeps running on ${server.url}.`);
  progress(`  the report   ${reportUrl}`);
  if (link) progress(`  open it by   ${link}   (works once: it makes you the owner)`);
  progress("  stop it by   Ctrl-C; the data of the demo goes with it");
  if (signal.aborted) return;
  // Once the service has ended, nothing keeps this process alive to wait for an interrupt.
  await Promise.race([once(signal, "abort"), server.process.ended]);
  if (!signal.aborted) throw new DemoError(`the service ended. ${outputTail(server.process)}`);
}
