import { createHash } from "node:crypto";
import { gatewayMetrics, gatewayRoutes, startWriter, writerMetrics } from "@whence/gateway";
import { openStorage } from "@whence/storage";
import Fastify from "fastify";
import { Registry } from "prom-client";
import { benchKey } from "../child-server.ts";
import type { ServerFigures } from "./figures.ts";
import { observedInserts, ProcessFigures } from "./process-figures.ts";

/**
 * Runs a gateway and a writer in one process, embedded. Sends its port, and on any message its work since the last one.
 */
const [dataDirectory = ""] = process.argv.slice(2);
const storage = await openStorage({ dataDirectory, secretKeys: [Buffer.alloc(32)] });
const { queue, control } = storage;

const { id: organizationId } = await control.organizations.ensure({ slug: "bench", name: "bench", now: new Date() });
const hash = createHash("sha256").update(benchKey).digest("hex");
await control.keys.add({ organizationId, name: "bench", hash, prefix: "", scope: "send", now: new Date() });

const app = Fastify({ logger: { level: "error" } });
const registry = new Registry();
const { keys, usage } = control;
const metrics = gatewayMetrics(registry);
await app.register(gatewayRoutes({ queue, keys, usage, secrets: control, metrics, telemetryPerMinutePerKey: 1e9 }));
await app.listen({ host: "127.0.0.1", port: 0 });

let queryable: [string, number][] = [];
let inserts = 0;
const events = observedInserts(storage.events, note);
const writer = startWriter({ queue, events, logger: app.log, metrics: writerMetrics(registry) });

let used = new ProcessFigures();
process.on("message", () => {
  const figures: ServerFigures = { queryable, inserts, ...used.end() };
  used = new ProcessFigures();
  queryable = [];
  inserts = 0;
  process.send?.(figures);
});
process.on("disconnect", () => void stop());
const address = app.server.address();
process.send?.({ port: typeof address === "object" ? address?.port : undefined });

function note(_stored: number, firstIds: readonly string[]): void {
  inserts += 1;
  const at = performance.timeOrigin + performance.now();
  for (const id of firstIds) queryable.push([id, at]);
}

async function stop(): Promise<void> {
  await app.close();
  await writer.stop();
  await storage.close();
  process.exit(0);
}
