import { readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../test/servers/free-port.ts";
import { startCollector, stopCollector } from "../clients/collector.ts";
import type { LoadFigures, ServerFigures } from "./figures.ts";
import { ask, type Bench, end, start } from "./measure.ts";

/** Clock ticks of `/proc`, on every Linux that Node.js runs on. */
const tickMs = 10;
const kibibyte = 1_024;

/**
 * Starts a Collector whose file exporter writes the spans it receives, and a load generator. The Collector answers once
 * its exporter has them in a buffer, which it writes out each second and never syncs.
 */
export async function startCollectorBench(program: string): Promise<Bench> {
  const directory = await mkdtemp(join(tmpdir(), "whence-bench-collector-"));
  const port = await freePort();
  const configuration = join(directory, "collector.yaml");
  await writeFile(configuration, configurationOf(port, join(directory, "spans.json")));
  const collector = await startCollector(program, configuration);
  // It must not stall on what it logs.
  collector.stderr?.resume();
  const generator = start("generate-load.ts", [], []);
  return {
    load: (order) => ask<LoadFigures>(generator, { ...order, format: "otlp", port }),
    figures: async () => figuresOf(collector.pid ?? 0),
    stop: async () => {
      await stopCollector(collector);
      await end(directory, [generator], undefined);
    },
  };
}

function configurationOf(port: number, file: string): string {
  return `receivers:
  otlp:
    protocols:
      http:
        endpoint: 127.0.0.1:${port}
exporters:
  file:
    path: ${file}
service:
  telemetry:
    metrics:
      level: none
  pipelines:
    traces:
      receivers: [otlp]
      exporters: [file]
`;
}

/** It has no event loop. */
function figuresOf(pid: number): ServerFigures {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const resident = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  // The name, in parentheses, is the second field and may contain spaces; then come the state and eleven others.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * tickMs;
  return { loopP99Ms: 0, residentBytes: resident * kibibyte, cpuMs };
}
