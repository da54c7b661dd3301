import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmbeddedServer } from "../child-server.ts";
import { quantile } from "../quantile.ts";
import { table } from "../table.ts";
import { type Measured, measure, warmUp } from "./measure.ts";
import { type NoiseKind, type NoiseOrder, type NoiseTally, noiseKinds } from "./noise-kinds.ts";
import { openOrganization } from "./organization.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "50" },
    /** Comma-separated kinds of noise; all by default. */
    noise: { type: "string", default: noiseKinds.join(",") },
  },
});
const runs = Number(values.runs);
const kinds = noiseKinds.filter((kind) => values.noise.split(",").includes(kind));
const names = { report: "event → finished report", read: "GET /api/incidents", healthz: "GET /healthz" } as const;
/** The highest acceptable ratio of latencies with and without a noisy neighbor. */
const ratioMax = 2;

const directory = mkdtempSync(join(tmpdir(), "whence-noisy-neighbor-"));
const server = await startEmbeddedServer(directory, { WHENCE_SIGNUP: "open", WHENCE_TELEMETRY_PER_MINUTE: "1200" });
try {
  const [quiet, noisy] = [await openOrganization(server.url, "quiet"), await openOrganization(server.url, "noisy")];
  await warmUp(server.url, quiet);
  const alone = await measure(server.url, quiet, { runs, name: "alone" });
  const noise = await startNoise({ url: server.url, key: noisy, kinds });
  const beside = await measure(server.url, quiet, { runs, name: "beside" });
  print(kinds, alone, beside, noise.stop());
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

interface Noise {
  /** Ends the noise, and returns how its requests were answered. */
  stop(): NoiseTally;
}

/** Resolves when the noise has been answered for the first time. */
async function startNoise(order: NoiseOrder): Promise<Noise> {
  const child = fork(join(import.meta.dirname, "noise.ts"));
  let tally: NoiseTally = {};
  child.on("message", (told: NoiseTally) => {
    tally = told;
  });
  child.send(order);
  while (order.kinds.length > 0 && Object.keys(tally).length === 0) await once(child, "message");
  return {
    stop() {
      child.disconnect();
      return tally;
    },
  };
}

function print(kinds: readonly NoiseKind[], alone: Measured, beside: Measured, tally: NoiseTally): void {
  const ratios: number[] = [];
  const rows = (["report", "read", "healthz"] as const).map((name) => {
    const of = (measured: Measured): [number, number] => [
      quantile(measured[name], 0.5),
      quantile(measured[name], 0.99),
    ];
    const [[median, p99], [medianBeside, p99Beside]] = [of(alone), of(beside)];
    ratios.push(medianBeside / median, p99Beside / p99);
    const times = [median, p99, medianBeside, p99Beside].map((ms) => ms.toFixed(1));
    return [names[name], ...times, (medianBeside / median).toFixed(1), (p99Beside / p99).toFixed(1)];
  });
  const headings = ["ms", "median", "p99", "beside: median", "p99", "ratio of medians", "of p99"];
  console.log(table(headings, rows));
  const answers = Object.entries(tally).map(([answer, count]) => `${count} ${answer}`);
  console.log(`noise: ${kinds.join(", ")}; answered: ${answers.sort().join(", ")}`);
  console.log(`worst ratio ${Math.max(...ratios).toFixed(1)}, wanted ${ratioMax} at most`);
}
