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
 * What a Collector does with spans before it answers: `collector` has them in the buffer of its file exporter, which it
 * writes out each second and never syncs; `synced` has them in the persistent queue of an exporter, synced to disk, as
 * the gateway does. Nothing listens where that exporter sends, so the queue keeps them all.
 */
export const collectorKinds = ["collector", "synced"] as const;
export type CollectorKind = (typeof collectorKinds)[number];

/** Starts a Collector and a load generator. */
export async function startCollectorBench(kind: CollectorKind, program: string): Promise<Bench> {
  const directory = await mkdtemp(join(tmpdir(), "whence-bench-collector-"));
  const port = await freePort();
  const configuration = join(directory, "collector.yaml");
  await writeFile(configuration, configurationOf(port, exporters[kind](directory, await freePort())));
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

/** The configuration of an exporter and, after its name, what it needs beside. */
interface ConfiguredExporter {
  readonly name: string;
  readonly exporter: string;
  readonly extensions: string;
}

const exporters: Readonly<Record<CollectorKind, (directory: string, deadPort: number) => ConfiguredExporter>> = {
  collector: (directory) => ({
    ...{ name: "file", exporter: `path: ${directory}/spans.json`, extensions: "" },
  }),
  synced: (directory, deadPort) => ({
    name: "otlp_http",
    exporter: `endpoint: http://127.0.0.1:${deadPort}
    sending_queue:
      storage: file_storage
      queue_size: 100000000
      num_consumers: 1
    retry_on_failure:
      initial_interval: 1h
      max_interval: 1h
      max_elapsed_time: 0`,
    extensions: `extensions:
  file_storage:
    directory: ${directory}
    fsync: true
`,
  }),
};

function configurationOf(port: number, { name, exporter, extensions }: ConfiguredExporter): string {
  return `${extensions}receivers:
  otlp:
    protocols:
      http:
        endpoint: 127.0.0.1:${port}
exporters:
  ${name}:
    ${exporter}
service:
  extensions: [${extensions === "" ? "" : "file_storage"}]
  telemetry:
    metrics:
      level: none
  pipelines:
    traces:
      receivers: [otlp]
      exporters: [${name}]
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
