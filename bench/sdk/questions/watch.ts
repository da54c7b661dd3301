import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { minuteMs, type WatchAnswer } from "@whence/protocol";
import { startGateway, type TestGateway } from "../../../sdks/node/test/gateway.ts";
import { signer } from "../../../sdks/node/test/watch/signer.ts";
import { table } from "../../table.ts";
import { type Bench, shown, startProgram } from "../bench.ts";
import type { Program } from "../program.ts";

const requestsPerSecond = 30;
const seconds = 30;
/** One request of so many fails, where any does: a place is left after 20 stops. */
const failingOf = 60;
const msPerSecond = 1_000;
const msPerPercent = 10;
/** More than a program sends. */
const answersMax = 1_000;
const program = "watched.cjs";

/** What a program allows, what it is asked for, and whether its requests fail. */
interface Case {
  readonly name: string;
  readonly watch: boolean;
  readonly isOrdered: boolean;
  readonly fails: boolean;
  /** The case that it is compared with: the same requests without a watch. */
  readonly against: string;
}

const cases: readonly Case[] = [
  { name: "not allowed", watch: false, isOrdered: false, fails: false, against: "not allowed" },
  { name: "not allowed, failing", watch: false, isOrdered: false, fails: true, against: "not allowed, failing" },
  { name: "allowed", watch: true, isOrdered: false, fails: false, against: "not allowed" },
  { name: "armed", watch: true, isOrdered: true, fails: false, against: "not allowed" },
  { name: "hit", watch: true, isOrdered: true, fails: true, against: "not allowed, failing" },
];

interface Service extends Case {
  readonly gateway: TestGateway;
  readonly program: Program;
  readonly port: number;
}

interface Measured extends Case {
  /** CPU time of the service's process per second. */
  readonly cpuMs: number;
  readonly state: string;
  /** Of the failures, how many carried what was seen. */
  readonly seen: number;
}

/** Measures what a program costs that allows watching, with places armed, and with failures that carry what was seen. */
export async function watch(bench: Bench): Promise<string> {
  const rounds: Measured[][] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const services = await Promise.all(cases.map((one) => startService(bench, one)));
    rounds.push(await Promise.all(services.map(measure)));
    await Promise.all(services.flatMap((one) => [one.program.stop(), one.gateway.close()]));
  }
  const of = (name: string): Measured[] => rounds.flatMap((round) => round.filter((one) => one.name === name));
  const rows = cases.map(({ name, against }) => {
    const [own, other] = [of(name), of(against)];
    return [
      name,
      shown(own.map(({ cpuMs }) => cpuMs)),
      shown(
        own.map(({ cpuMs }, round) => (cpuMs - (other[round]?.cpuMs ?? Number.NaN)) / msPerPercent),
        2,
      ),
      own.map(({ state }) => state).join(", "),
      own.map(({ seen }) => seen).join(", "),
    ];
  });
  return table(["watch", "cpu ms/s", "+ % of a processor", "state", "failures seen"], rows);
}

async function startService(bench: Bench, one: Case): Promise<Service> {
  const gateway = await startGateway();
  const adapter = bench.adapters.find(({ id }) => id === "whence");
  if (!adapter) throw new Error("watching is a question about whence: name it in --clients");
  const answer = {
    status: 202,
    body: JSON.stringify({ accepted: 1, rejected: [], ...(one.isOrdered && { watch: order() }) }),
  };
  gateway.answers.push(...Array.from({ length: answersMax }, () => answer));
  const options = { release: "1", watchServers: true, watch: one.watch };
  const started = startProgram(bench, adapter, program, [gateway.url, bench.frameworks], options);
  const { port } = await started.said<{ port: number }>();
  await load(port, one, seconds / 3);
  // The second question sends what became of the order that came with the first.
  for (const _ of [1, 2]) await started.ask({});
  return { ...one, gateway, program: started, port };
}

async function measure({ program: measured, port, gateway, ...one }: Service): Promise<Measured> {
  const before = await measured.ask<NodeJS.CpuUsage>({});
  await load(port, one, seconds);
  const after = await measured.ask<NodeJS.CpuUsage>({});
  return {
    ...one,
    cpuMs: (after.user - before.user + after.system - before.system) / msPerSecond / seconds,
    state: gateway.batches.findLast(({ watch }) => watch?.state)?.watch?.state ?? "–",
    seen: gateway.events("exception").filter((event) => event.watched).length,
  };
}

/** Sends requests at a rate, one at a time. */
async function load(port: number, { fails }: Pick<Case, "fails">, forSeconds: number): Promise<void> {
  for (let sent = 1; sent <= forSeconds * requestsPerSecond; sent += 1) {
    const sku = fails && sent % failingOf === 0 ? "none" : "some";
    const [response] = await Promise.all([
      fetch(`http://127.0.0.1:${port}/prices/${sku}`),
      delay(msPerSecond / requestsPerSecond),
    ]);
    await response.arrayBuffer();
  }
}

/** Returns a signed order for the function of the program. */
function order(): WatchAnswer {
  const text = readFileSync(join(import.meta.dirname, "../programs", program), "utf8");
  const lineOf = (code: string): number => text.split("\n").findIndex((line) => line.includes(code)) + 1;
  const place = { file: `programs/${program}`, line: lineOf("// watched"), function: "priceOf" };
  const sha256 = createHash("sha256").update(text).digest("hex");
  const now = Date.now();
  return signer("org_1").signed({
    ...{ id: "wat_bench", organization: "org_1", service: "bench", env: "PROD", release: "1" },
    ...{ issued_at: new Date(now).toISOString(), expires_at: new Date(now + 10 * minuteMs).toISOString() },
    places: [{ ...place, starts: lineOf("function priceOf"), sha256 }],
  });
}
