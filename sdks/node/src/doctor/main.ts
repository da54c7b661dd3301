#!/usr/bin/env node
import { parseArgs } from "node:util";
import { doctorEnvironment, hasColor } from "../environment.ts";
import { readProperty } from "../runtime/read-property.ts";
import { canaryOf } from "./canaries.ts";
import { type Check, checkDelivery } from "./delivery.ts";
import { exitCodeOf, printed, type Report } from "./report.ts";
import { runProgram } from "./run-program.ts";
import { openSink, type Sink } from "./sink.ts";
import { fatesOf, nearMissesIn } from "./verdict.ts";

const usage = `whence-node doctor [options] [-- command]

Runs your program with a canary in every channel of the client, and shows what would leave the
process. Nothing leaves this machine except an empty batch that checks the key and the address.

  -- command      your program, such as: -- node app.js
                  without one, a client with options from WHENCE_API_KEY, WHENCE_ENDPOINT, …
  --watch <s>     keep the program running, and check its own events as well (default 0)
  --wait <s>      how long to wait for init (default 15)
  --offline       don't contact the server
  --send          send a test event
  --json          print the report as JSON

Exit codes: 0 no problems found, 1 problems found, 2 the doctor could not run.
`;

const options = {
  watch: { type: "string", default: "0" },
  wait: { type: "string", default: "15" },
  offline: { type: "boolean", default: false },
  send: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const [own, command] = split(args);
  const parsed = parse(own);
  if (typeof parsed === "string") return fail(`${parsed}\n\n${usage}`);
  const { values, positionals } = parsed;
  if (values.help) return say(usage, 0);
  if (positionals.length !== 1 || positionals[0] !== "doctor") return fail(usage);
  const [waitMs, watchMs] = [Number(values.wait) * 1_000, Number(values.watch) * 1_000];
  if (!(waitMs > 0 && watchMs >= 0)) return fail(`--wait and --watch take a number of seconds\n\n${usage}`);
  const sink = await openSink();
  try {
    const found = await examine(sink, command, { ...values, waitMs, watchMs });
    if (typeof found === "string") return fail(`${found}\n`);
    return say(values.json ? `${JSON.stringify(found, null, 2)}\n` : printed(found, hasColor()), exitCodeOf(found));
  } finally {
    sink.close();
  }
}

interface Settings {
  readonly waitMs: number;
  readonly watchMs: number;
  readonly offline: boolean;
  readonly send: boolean;
}

/** Returns the report, or a message when there is nothing to report on. */
async function examine(sink: Sink, command: readonly string[], settings: Settings): Promise<Report | string> {
  const preload = new URL("./plant.js", import.meta.url).href;
  const registered = `--import=${new URL("../register.js", import.meta.url).href}`;
  const program = command.length > 0 ? command : [process.execPath, registered, "-e", "setTimeout(() => {}, 60_000)"];
  const canary = canaryOf("process", "environment variable");
  const run = await runProgram(program, doctorEnvironment(preload, sink.address, canary), sink, settings);
  const [first] = run.intercepted;
  if (run.problem !== undefined || !first) return run.problem ?? "the client of the program sent nothing";
  const { events: _events, ...header } = first.batch;
  const events = run.intercepted.flatMap(({ batch }) => batch.events);
  const [planted, own] = [events.filter(isPlanted), events.filter((event) => !isPlanted(event))];
  const delivery = settings.offline ? [] : await checkDelivery(first.endpoint, first.apiKey, header, settings.send);
  return {
    checks: [...delivery, ...checkHeader(header), checkSpool(events)],
    canaries: fatesOf(planted),
    near_misses: nearMissesIn(own),
  };
}

function isPlanted(event: unknown): boolean {
  return JSON.stringify(event).includes("canary.");
}

function checkHeader({ service, env, release }: { service?: unknown; env?: unknown; release?: unknown }): Check[] {
  const check = (name: string, isOk: boolean, detail: string): Check => ({
    name,
    outcome: isOk ? "ok" : "warning",
    detail,
  });
  return [
    check(
      "service",
      service !== "default",
      service === "default" ? 'not set: call init({ service: "…" })' : String(service),
    ),
    check("env", true, env === "PROD" ? "PROD" : `${String(env)}: failures are stored, but not investigated`),
    check(
      "release",
      release !== undefined,
      release === undefined ? 'unknown: call init({ release: "…" })' : String(release),
    ),
  ];
}

/** Reads the client's heartbeats, which say where events are spooled. */
function checkSpool(events: readonly unknown[]): Check {
  const told = events.map((event) => readProperty(event, "attributes"));
  const folder = told.map((attributes) => readProperty(attributes, "spool_folder")).find(isText);
  const off = told.map((attributes) => readProperty(attributes, "spool_off")).find(isText);
  return folder === undefined
    ? { name: "spool", outcome: "warning", detail: `in memory only: ${off ?? "no heartbeat was sent"}` }
    : { name: "spool", outcome: "ok", detail: `events are kept in ${folder} until they are sent` };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function split(args: readonly string[]): [own: string[], command: string[]] {
  const at = args.indexOf("--");
  return at === -1 ? [[...args], []] : [args.slice(0, at), args.slice(at + 1)];
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function say(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}

function fail(text: string): number {
  process.stderr.write(text);
  return 2;
}
