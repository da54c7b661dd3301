import { createHash } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { gatewayMetrics, gatewayRoutes } from "@whence/gateway";
import { lazyStorage, type Queue, telemetryTopic } from "@whence/storage";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { Registry } from "prom-client";
import { readRequest, traceRequestOf } from "../../services/gateway/src/otlp/requests.ts";
import { span } from "../../services/gateway/src/otlp/span-message.ts";
import { benchKey } from "../child-server.ts";
import { routes, type ServerFigures, sentryKey, sentryProject } from "./figures.ts";

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

/** The least that a gateway could do: read the body and answer. */
function bareRoute(server: FastifyInstance): void {
  const unpack = promisify(gunzip);
  server.removeAllContentTypeParsers();
  const bytesOf = async ({ headers }: FastifyRequest, body: Buffer): Promise<Buffer> =>
    headers["content-encoding"] === "gzip" ? unpack(body) : body;
  const textOf = async (request: FastifyRequest, body: Buffer): Promise<string> =>
    (await bytesOf(request, body)).toString();
  const asBuffer = { parseAs: "buffer" } as const;
  const { whence, sentry, otlp } = routes;
  server.addContentTypeParser(whence.type, asBuffer, async (request: FastifyRequest, body: Buffer) =>
    JSON.parse(await textOf(request, body)),
  );
  server.addContentTypeParser(sentry.type, asBuffer, async (request: FastifyRequest, body: Buffer) =>
    (await textOf(request, body))
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
  );
  server.addContentTypeParser(otlp.type, asBuffer, async (request: FastifyRequest, body: Buffer) =>
    readRequest(traceRequestOf(span), await bytesOf(request, body), "protobuf"),
  );
  server.post(otlp.path, async (_request, reply) => reply.type(otlp.type).send(Buffer.alloc(0)));
  server.post<{ Body: { events: unknown[] } }>(whence.path, async (request, reply) => {
    reply.code(whence.accepted);
    return { accepted: request.body.events.length };
  });
  server.post<{ Body: unknown[] }>(sentry.path, async (request) => ({ accepted: request.body.length }));
}

async function gateway(server: FastifyInstance): Promise<void> {
  const nats = kind === "jetstream" ? { servers: natsUrls, replicas: 1 } : undefined;
  const storage = lazyStorage({ dataDirectory, nats, queueBytesMax, secretKeys: [Buffer.alloc(32)] });
  const [queue, control] = await Promise.all([storage.queue(), storage.control()]);
  const { keys, usage, organizations } = control;
  const now = new Date();
  const { id: organizationId } = await organizations.ensure({ slug: "bench", name: "bench", now });
  const hashOf = (key: string): string => createHash("sha256").update(key).digest("hex");
  const ofBench = { organizationId, name: "bench", prefix: "", now };
  await keys.add({ ...ofBench, hash: hashOf(benchKey), scope: "send" });
  await keys.add({ ...ofBench, hash: hashOf(sentryKey), scope: "sentry", project: sentryProject });
  const metrics = gatewayMetrics(new Registry());
  await server.register(
    gatewayRoutes({ queue, keys, usage, secrets: control, metrics, telemetryPerMinutePerKey: 1e9 }),
  );
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
