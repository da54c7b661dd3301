import { execFile } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { benchKey, type ChildServer, startEmbeddedServer } from "../child-server.ts";
import { failingBatch } from "../report-latency/failing-batch.ts";
import { table } from "../table.ts";

const filesWanted = Number(process.argv[2] ?? 5_000);
const failures = 10;
/** Not measured: the first investigations compile code that later ones reuse. */
const warmUpFailures = 5;
const fileBytesMax = 100_000;
const pollIntervalMs = 100;
const deadlineMs = 120_000;
/** The kernel counts processor time in hundredths of a second. */
const ticksPerSecond = 100;
const targets = { indexedS: 30, processorS: 1, memoryMb: 150 };

const whence = join(import.meta.dirname, "../../sdks/agent/src/main.ts");
const headers = { "x-api-key": benchKey, "content-type": "application/json" };
const pageSchema = z.object({ incidents: z.array(z.object({ id: z.string(), status: z.string() })) });
const reportSchema = z.object({
  report: z.object({ evidence: z.array(z.object({ source: z.object({ name: z.string() }) })) }),
});

const program: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: warmUpFailures + failures }, (_, index) => nameOf(index)).flatMap((name) => [
    [
      `src/${name}.js`,
      `${"//\n".repeat(10)}function ${name}(order) {\n  return order.price.amount;\n}\nexport { ${name} };\n`,
    ],
    [
      `src/jobs/${name}.js`,
      `import { ${name} } from "../${name}.js";\nfor (const order of stored()) ${name}({ ...order, price: null });\n`,
    ],
  ]),
);

const directory = mkdtempSync(join(tmpdir(), "whence-source-tree-"));
const server = await startEmbeddedServer(directory);
try {
  const tree = join(directory, "tree");
  const bytes = makeTree(tree);
  const service = (kind: string, index: number): string => `${kind}-${index}`;
  const without = await measure((index) => service("none", index));
  const started = performance.now();
  await upload(tree, "whole");
  const uploadedS = (performance.now() - started) / 1_000;
  const before = server.memory().anonymousBytes;
  const whole = await measure(() => "whole");
  const addedMb = (server.memory().anonymousBytes - before) / 1e6;
  const processorS = whole.processorS - without.processorS;
  const rows = [
    ["upload and index, s", uploadedS.toFixed(1), String(targets.indexedS)],
    ["processor time of an investigation with the tree, s", whole.processorS.toFixed(2), String(targets.processorS)],
    ["the same without sources (baseline), s", without.processorS.toFixed(2), ""],
    ["added by the tree, s", processorS.toFixed(2), ""],
    ["memory added by the investigations, MB", addedMb.toFixed(0), String(targets.memoryMb)],
    ["reports that quote a caller that isn't on the stack", `${whole.quoting} of ${failures}`, String(failures)],
  ];
  console.log(`${filesWanted} files, ${(bytes / 1e6).toFixed(0)} MB`);
  console.log(table(["", "measured", "target"], rows));
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** Fills a folder with code of installed packages and a small program; returns its bytes. */
function makeTree(tree: string): number {
  const packages = join(import.meta.dirname, "../../node_modules/.pnpm");
  let [files, bytes] = [0, 0];
  const write = (path: string, put: (to: string) => void): void => {
    const to = join(tree, path);
    mkdirSync(dirname(to), { recursive: true });
    put(to);
    files++;
    bytes += statSync(to).size;
  };
  for (const [path, text] of Object.entries(program)) write(path, (to) => writeFileSync(to, text));
  for (const path of globSync("*/node_modules/**/*.{js,mjs,cjs,ts,json}", { cwd: packages })) {
    if (files >= filesWanted) break;
    const from = join(packages, path);
    const stats = statSync(from, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > fileBytesMax || stats.size === 0 || readFileSync(from).includes(0)) continue;
    // The command skips folders with these names.
    const own = path
      .replaceAll("node_modules/", "")
      .replaceAll(/(^|\/)\./g, "$1")
      .replaceAll(/(vendor|coverage)\//g, "$1-/");
    write(join("src/parts", own), (to) => cpSync(from, to));
  }
  return bytes;
}

async function upload(folder: string, service: string): Promise<void> {
  const args = ["sources", "upload", folder, "--service", service, "--release", "1.0.0"];
  const env = { ...process.env, WHENCE_URL: server.url, WHENCE_API_KEY: benchKey };
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@whence/source", whence, ...args], {
    env,
    maxBuffer: 10_000_000,
  });
  console.error(stdout.trim());
}

interface Measured {
  /** Processor time of the whole service for one failure, from its event to its finished reports. */
  readonly processorS: number;
  readonly quoting: number;
}

/** Has failures investigated, one after the other, each of another function. */
async function measure(serviceOf: (index: number) => string): Promise<Measured> {
  let [begun, quoting] = [0, 0];
  const seen = new Set<string>();
  for (let index = 0; index < warmUpFailures + failures; index++) {
    if (index === warmUpFailures) begun = processorTime(server);
    const id = await investigated(serviceOf(index), index, seen);
    const answer = await fetch(`${server.url}/api/incidents/${id}`, { headers });
    const { report } = reportSchema.parse(await answer.json());
    const isQuoted = report.evidence.some(({ source }) => source.name.endsWith(`jobs/${nameOf(index)}.js`));
    if (index >= warmUpFailures && isQuoted) quoting++;
  }
  return { processorS: (processorTime(server) - begun) / failures, quoting };
}

/** Each failure is one of its own: of another function, in a file that the tree has. */
function nameOf(index: number): string {
  return `totalOf${String.fromCharCode(65 + index)}`;
}

async function investigated(service: string, index: number, seen: Set<string>): Promise<string> {
  const batch = failingBatch("crash", service);
  const body = JSON.stringify({ ...batch, release: "1.0.0" })
    .replaceAll("totalOf", nameOf(index))
    .replaceAll("total.js", `${nameOf(index)}.js`);
  const accepted = await fetch(`${server.url}/api/telemetry/events`, { method: "POST", headers, body });
  if (accepted.status !== 202) throw new Error(`the event was answered with ${accepted.status}`);
  for (const end = performance.now() + deadlineMs; performance.now() < end; await delay(pollIntervalMs)) {
    const answer = await fetch(`${server.url}/api/incidents?service=${service}`, { headers });
    const { incidents } = pageSchema.parse(await answer.json());
    const found = incidents.find(({ id, status }) => !seen.has(id) && status === "completed");
    if (!found) continue;
    seen.add(found.id);
    return found.id;
  }
  throw new Error(`no report on ${service}`);
}

/** Seconds that the process has run on a processor, in all its threads. Linux only. */
function processorTime({ pid }: ChildServer): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
