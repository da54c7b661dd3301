import { analyzerRoutes, createIdentity, startConsumers } from "@whence/analyzer";
import { gatewayRoutes, startWriter } from "@whence/gateway";
import { limits } from "@whence/protocol";
import { openStorage } from "@whence/storage";
import Fastify, { type FastifyInstance } from "fastify";
import { type Bootstrapped, bootstrap } from "./bootstrap.ts";
import type { Config } from "./config.ts";
import { serverErrors } from "./errors.ts";
import { loadSecretKey } from "./secret-key.ts";

/** How long a stopping process finishes what it has in hand; the rest is handed back and comes again. */
const drainGraceMs = 10_000;

/** A request that takes longer to arrive is cut off: a slow client must not hold a connection without end. */
const requestTimeoutMs = 30_000;

export interface RunningServer {
  /** Where it listens, such as `http://127.0.0.1:4000`. */
  readonly address: string;
  readonly appUrl: string;
  readonly bootstrapped: Bootstrapped;
  /** Takes no new work, finishes what is in hand, bounded, and closes the storage. */
  stop(): Promise<void>;
}

/** Opens the storage, wires every part to it and listens. The only place that knows all the parts. */
export async function startServer(config: Config): Promise<RunningServer> {
  // Closed in the reverse order: first no new requests, then the background work, the storage last.
  const parts = new AsyncDisposableStack();
  try {
    return await wire(config, parts);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function wire(config: Config, parts: AsyncDisposableStack): Promise<RunningServer> {
  const { dataDirectory, retentionDays, bootstrapApiKey, openSignUp } = config;
  const clock = Date.now;
  const { queue, events, control, close } = await openStorage({ dataDirectory, retentionDays });
  parts.defer(close);
  const secretKey = config.secretKey ?? (await loadSecretKey(dataDirectory));
  const bootstrapped = await bootstrap(control, { bootstrapApiKey, secretKey, now: new Date(clock()) });
  const appUrl = config.appUrl ?? defaultAppUrl(config);

  const app = Fastify({ logger: { level: config.logLevel }, requestTimeout: requestTimeoutMs });
  const logger = app.log;
  const writer = startWriter({ queue, events, logger });
  parts.defer(() => writer.stop());
  const consumers = startConsumers({ queue, events, control, clock, logger });
  parts.defer(() => consumers.stop(drainGraceMs));

  parts.defer(() => app.close());
  app.get("/healthz", async () => ({ status: "ok" }));
  const { telemetryPerMinutePerKey } = config.rates;
  await app.register(gatewayRoutes({ queue, keys: control.keys, clock, telemetryPerMinutePerKey }));
  const identity = createIdentity({ control, secretKey, appUrl, openSignUp });
  const rates = { ...config.rates, unclaimedAgentLifetimeMs: limits.unclaimedAgentLifetimeMs };
  const { relayOutbox } = consumers;
  const { organizationId, setupToken: token } = bootstrapped;
  const context = { control, events, identity, appUrl, clock, limits: rates, relayOutbox };
  await app.register(analyzerRoutes(context, { organizationId, token }));

  const address = await listen(app, config);
  return { address, appUrl, bootstrapped, stop: () => parts.disposeAsync() };
}

/** Of an address that listens everywhere, this machine's own is the one that opens. */
function defaultAppUrl({ host, port }: Config): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    throw isTaken ? serverErrors.create("WHENCE_ERR_ADDRESS_IN_USE", [host, port], { cause: error }) : error;
  }
}
