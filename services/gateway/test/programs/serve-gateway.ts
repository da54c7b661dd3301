import { lazyStorage } from "@whence/storage";
import Fastify from "fastify";
import { Registry } from "prom-client";
import { gatewayRoutes } from "../../src/app.ts";
import { gatewayMetrics } from "../../src/metrics.ts";
import { hashOf } from "../hash-of.ts";

/** Runs a gateway on a data directory, with one organization's key, and prints its address. */
const [dataDirectory = "", key = ""] = process.argv.slice(2);
const storage = lazyStorage({ dataDirectory, secretKeys: [Buffer.alloc(32)] });
const [queue, control] = await Promise.all([storage.queue(), storage.control()]);
const now = new Date();
const { id: organizationId } = await control.organizations.ensure({ slug: "default", name: "default", now });
await control.keys.add({ organizationId, name: "k", hash: hashOf(key), prefix: "whk_", scope: "send", now });

const app = Fastify();
const metrics = gatewayMetrics(new Registry());
await app.register(
  gatewayRoutes({
    ...{ queue, keys: control.keys, usage: control.usage, secrets: control, metrics },
    telemetryPerMinutePerKey: 1_000_000,
  }),
);
process.once("SIGTERM", () => void app.close().then(() => storage.close()));
console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
