import { createHash } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { gatewayMetrics, gatewayRoutes } from "@whence/gateway";
import { lazyStorage, type Queue, telemetryTopic } from "@whence/storage";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { Registry } from "prom-client";
import { benchKey } from "../child-server.ts";
import { path, type ServerFigures } from "./figures.ts";

/**
 * The server under test, as a process: `bare` only parses; `embedded` and `jetstream` are the gateway on one of its
 * queues. Sends its port over IPC, and on any message its figures since the last one.
 */
const [kind = "", dataDirectory = "", natsUrls = "", drains = ""] = process.argv.slice(2);
const bodyLimit = 8 * 1_048_576;
const queueBytesMax = 16 * 1_073_741_824;

const app = Fastify({ bodyLimit, logger: { level: "error" } });
if (kind === "bare") bareRoute(app);
else await gateway(app);
await app.listen({ host: "127.0.0.1", port: 0 });

const loop = monitorEventLoopDelay({ resolution: 1 });
loop.enable();
process.on("message", () => {
  const figures: ServerFigures = {
    loopP99Ms: loop.percentile(99) / 1e6,
    residentBytes: process.memoryUsage.rss(),
    cpuMs: cpuMs(),
  };
  loop.reset();
  process.send?.(figures);
});
process.on("disconnect", () => process.exit(0));
const address = app.server.address();
process.send?.({ port: typeof address === "object" ? address?.port : undefined });

/** The least that a gateway could do: parse the JSON and answer. */
function bareRoute(server: FastifyInstance): void {
  const unpack = promisify(gunzip);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, body: Buffer) =>
      JSON.parse((request.headers["content-encoding"] === "gzip" ? await unpack(body) : body).toString()),
  );
  server.post<{ Body: { events: unknown[] } }>(path, async (request, reply) => {
    reply.code(202);
    return { accepted: request.body.events.length };
  });
}

async function gateway(server: FastifyInstance): Promise<void> {
  const nats = kind === "jetstream" ? { servers: natsUrls, replicas: 1 } : undefined;
  const storage = lazyStorage({ dataDirectory, nats, queueBytesMax });
  const [queue, { keys, usage, organizations }] = await Promise.all([storage.queue(), storage.control()]);
  const now = new Date();
  const { id: organizationId } = await organizations.ensure({ slug: "bench", name: "bench", now });
  const hash = createHash("sha256").update(benchKey).digest("hex");
  await keys.add({ organizationId, name: "bench", hash, prefix: "", scope: "send", now });
  const metrics = gatewayMetrics(new Registry());
  await server.register(gatewayRoutes({ queue, keys, usage, metrics, telemetryPerMinutePerKey: 1e9 }));
  if (drains === "drains") void drain(queue);
}

/** Consumes the published messages, as a writer does, so that a long run doesn't fill the disk. */
async function drain(queue: Queue): Promise<never> {
  for (;;) {
    const deliveries = await queue.receive(telemetryTopic, { max: 64, waitMs: 1_000 });
    await Promise.all(deliveries.map((delivery) => delivery.ack()));
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
