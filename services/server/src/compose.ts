import { answerUnknownRoute } from "@whence/analyzer";
import { type DiskReserve, diskReserve, freeBytesOf, lazyStorage, noDisk } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { type Bootstrapped, type FirstKeys, makeFirstKeys } from "./bootstrap.ts";
import type { Config } from "./config.ts";
import { serverErrors } from "./errors.ts";
import { createApp } from "./http-server.ts";
import { diskMetrics, metricsRoute, processMetrics, queueMetrics } from "./metrics.ts";
import { dependenciesOf, healthRoutes } from "./readiness.ts";
import { startAnalyzerRole } from "./roles/analyzer.ts";
import { startApiRole } from "./roles/api.ts";
import { startGatewayRole } from "./roles/gateway.ts";
import type { RoleContext } from "./roles/role-context.ts";
import { startWriterRole } from "./roles/writer.ts";
import { loadSecretKeys } from "./secret-key.ts";
import { startTracing, traceRequests } from "./tracing.ts";

export interface RunningServer {
  /** The listening address, such as `http://127.0.0.1:4000`. */
  readonly address: string;
  readonly appUrl: string;
  /** Undefined for a role that doesn't create the first organization. */
  readonly bootstrapped: Bootstrapped | undefined;
  /** The keys created now, which are shown only once. Undefined when there was a key, or one was configured. */
  readonly newKeys: FirstKeys | undefined;
  /** Stops taking work, finishes the work in progress within limits, and closes the storage. */
  stop(): Promise<void>;
}

/** Opens the storage, connects every part of the role to it, and listens. The only place that knows all the parts. */
export async function startServer(config: Config): Promise<RunningServer> {
  // Closed in reverse order: first requests, then background work, and finally the storage.
  const parts = new AsyncDisposableStack();
  try {
    return await wire(config, parts);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function wire(config: Config, parts: AsyncDisposableStack): Promise<RunningServer> {
  const { role, tracesEndpoint } = config;
  const clock = Date.now;
  if (tracesEndpoint !== undefined) {
    const tracing = await startTracing(tracesEndpoint, role);
    parts.defer(() => tracing.stop());
  }
  const appUrl = config.appUrl ?? defaultAppUrl(config);
  const secretKeys = role === "writer" ? [] : await loadSecretKeys(config);
  const storage = lazyStorage({ ...config, secretKeys });
  parts.defer(() => storage.close());

  const app = createApp(config);
  if (tracesEndpoint !== undefined) traceRequests(app);
  const registry = processMetrics();
  const disk = diskOf(config);
  const place: RoleContext = { config, app, storage, disk, registry, clock, secretKeys, appUrl, parts };
  let isStopping = false;
  healthRoutes(app, { dependencies: dependenciesOf(role, storage, disk), clock, isStopping: () => isStopping });
  metricsRoute(app, registry);
  diskMetrics(registry, disk);
  queueMetrics(registry, await storage.queue(), clock);
  if (role === "writer" || role === "all") await startWriterRole(place);
  const bootstrapped = await startServing(place);
  // The API sets its own handler.
  if (!bootstrapped) app.setNotFoundHandler(answerUnknownRoute);
  if (role === "gateway" || role === "all") await startGatewayRole(place);

  parts.defer(() => app.close());
  const address = await listen(app, config);
  const newKeys =
    bootstrapped && (await makeFirstKeys(await storage.control(), bootstrapped.organizationId, new Date(clock())));
  const stop = (): Promise<void> => {
    isStopping = true;
    return parts.disposeAsync();
  };
  return { address, appUrl, bootstrapped, newKeys, stop };
}

/** Starts the API, with the analyzer's work unless the role is without it; undefined for a role that doesn't serve it. */
async function startServing(place: RoleContext): Promise<Bootstrapped | undefined> {
  switch (place.config.role) {
    case "all":
    case "analyzer":
      return startAnalyzerRole(place);
    case "api":
      return startApiRole(place);
    case "gateway":
    case "writer":
      return undefined;
  }
}

/** Returns the disk of the data directory; none when servers store everything. */
function diskOf({ nats, clickHouse, postgres, dataDirectory, diskReserveBytes: reserveBytes }: Config): DiskReserve {
  if (nats && clickHouse && postgres) return noDisk;
  return diskReserve({ reserveBytes, freeBytes: () => freeBytesOf(dataDirectory) });
}

/** Returns the address to open: this machine's own when the server listens on all addresses. */
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
