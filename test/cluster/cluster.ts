import { randomBytes } from "node:crypto";
import { type ClickHouseFront, startClickHouseFront } from "../servers/clickhouse-front.ts";
import { freePort } from "../servers/free-port.ts";
import { type NatsCluster, startNatsServer } from "../servers/nats-server.ts";
import { startProxy } from "../servers/nginx.ts";
import { type PostgresServer, startPostgres } from "../servers/postgres.ts";
import { type RoleOptions, type RoleProcess, roleProcess } from "./role-process.ts";

/** The key of the organization `default` in this cluster. */
export const clusterKey = "whk_cluster_bootstrap_key_0001";

/** The topology of `docker-compose.yml` as plain processes, with three NATS servers instead of one. */
export interface Cluster {
  /** The address of the proxy, which clients and people use. */
  readonly url: string;
  readonly nats: NatsCluster;
  readonly postgres: PostgresServer;
  readonly clickHouse: ClickHouseFront;
  readonly gateways: readonly RoleProcess[];
  readonly writers: readonly RoleProcess[];
  readonly analyzers: readonly RoleProcess[];
  readonly environment: Readonly<Record<string, string>>;
  /** Returns one more role, not started yet and not behind the proxy. */
  role(name: string, options: Partial<RoleOptions> & Pick<RoleOptions, "role">): Promise<RoleProcess>;
  stop(): Promise<void>;
}

/** Starts servers, roles, and the proxy, and resolves when all of them are ready. */
export async function startCluster(): Promise<Cluster> {
  const parts = new AsyncDisposableStack();
  try {
    return await assemble(parts);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function assemble(parts: AsyncDisposableStack): Promise<Cluster> {
  const [nats, postgres, clickHouse] = await Promise.all([
    stoppedWith(parts, startNatsServer({ nodes: 3 })),
    stoppedWith(parts, startPostgres()),
    stoppedWith(parts, startClickHouseFront()),
  ]);
  // Known before the roles start: links in their answers lead to the proxy.
  const proxyPort = await freePort();
  const environment = {
    WHENCE_APP_URL: `http://127.0.0.1:${proxyPort}`,
    NATS_URL: nats.urls,
    NATS_REPLICAS: "3",
    CLICKHOUSE_URL: clickHouse.url,
    DATABASE_URL: await postgres.database(),
    WHENCE_SECRET_KEY: randomBytes(32).toString("base64"),
    WHENCE_BOOTSTRAP_API_KEY: clusterKey,
    WHENCE_LOG_LEVEL: "warn",
    WHENCE_TRUSTED_PROXIES: "127.0.0.1",
    WHENCE_TELEMETRY_PER_MINUTE: "1000000",
    PATH: "/usr/bin:/bin",
  };
  const role: Cluster["role"] = async (name, options) => {
    const process = roleProcess(name, {
      host: "127.0.0.1",
      port: await freePort(),
      under: [],
      ...options,
      environment: { ...environment, ...options.environment },
    });
    parts.defer(async () => void (await process.end("SIGKILL")));
    return process;
  };
  // One after another: the first of each kind creates the tables and the organization.
  const started = async (kind: RoleOptions["role"], count: number): Promise<readonly RoleProcess[]> => {
    const processes: RoleProcess[] = [];
    for (let number = 1; number <= count; number++) {
      const process = await role(`${kind}-${number}`, { role: kind });
      await process.start();
      processes.push(process);
    }
    return processes;
  };
  const analyzers = await started("analyzer", 2);
  const writers = await started("writer", 2);
  const gateways = await started("gateway", 2);
  const proxy = await stoppedWith(
    parts,
    startProxy(
      proxyPort,
      gateways.map(({ address }) => address),
      analyzers.map(({ address }) => address),
    ),
  );
  return {
    url: proxy.url,
    nats,
    postgres,
    clickHouse,
    gateways,
    writers,
    analyzers,
    environment,
    role,
    stop: () => parts.disposeAsync(),
  };
}

/** Stops a part, even one that is still starting when another part has failed. */
function stoppedWith<Part extends { stop(): Promise<void> }>(
  parts: AsyncDisposableStack,
  starting: Promise<Part>,
): Promise<Part> {
  parts.defer(async () => {
    // The caller that awaits `starting` gets the error.
    const part = await starting.catch(() => null);
    await part?.stop();
  });
  return starting;
}
