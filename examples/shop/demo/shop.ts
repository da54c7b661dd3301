import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningProcess, startProcess } from "./child-process.ts";
import { freePort } from "./free-port.ts";

export const shopServices = ["storefront", "orders", "payments"] as const;
export type ShopService = (typeof shopServices)[number];

/** Variables that differ from a shop in good health; one without a value is taken away. */
export type Changes = Partial<Record<ShopService, Readonly<Record<string, string | undefined>>>>;

/** The three services, running. */
export interface Shop {
  /** Where customers come in. */
  readonly url: string;
  readonly processes: ReadonlyMap<ShopService, RunningProcess>;
  /** Stops all three, each after it has sent what it had to say. */
  stop(): Promise<void>;
}

/** Where the shop sends its telemetry. */
export interface Telemetry {
  readonly url: string;
  readonly apiKey: string;
}

/** Starts the three services, each a process of its own on a free port. */
export async function startShop(telemetry: Telemetry, changes: Changes, signal: AbortSignal): Promise<Shop> {
  const opened = new AsyncDisposableStack();
  try {
    const auditDirectory = await mkdtemp(join(tmpdir(), "whence-shop-"));
    opened.defer(() => rm(auditDirectory, { recursive: true, force: true }));
    const environments = await healthyEnvironments(telemetry, auditDirectory);
    const processes = new Map<ShopService, RunningProcess>();
    const start = async (service: ShopService): Promise<void> => {
      const environment = { ...environments[service], ...changes[service] };
      const running = await startProcess(
        {
          name: service,
          script: `examples/shop/${service}/main.ts`,
          environment,
          readyUrl: `${addressOf(environment)}/healthz`,
        },
        signal,
      );
      opened.defer(() => running.stop());
      processes.set(service, running);
    };
    // All settle before anything is stopped, so that none is left behind when another one fails.
    const failed = (await Promise.allSettled(shopServices.map(start))).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
    return { url: addressOf(environments.storefront), processes, stop: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

type Environment = Readonly<Record<string, string>> & { readonly PORT: string };

async function healthyEnvironments(
  { url, apiKey }: Telemetry,
  auditDirectory: string,
): Promise<Record<ShopService, Environment>> {
  const telemetry = { WHENCE_ENDPOINT: url, WHENCE_API_KEY: apiKey };
  const payments = {
    ...telemetry,
    PORT: String(await freePort()),
    RECEIPT_SIGNING_KEY: "a-key-for-the-demo",
    AUDIT_DIRECTORY: auditDirectory,
  };
  const orders = { ...telemetry, PORT: String(await freePort()), PAYMENTS_URL: addressOf(payments) };
  const storefront = {
    ...telemetry,
    PORT: String(await freePort()),
    ORDERS_URL: addressOf(orders),
    PAYMENTS_URL: addressOf(payments),
  };
  return { storefront, orders, payments };
}

function addressOf({ PORT }: { readonly PORT: string }): string {
  return `http://127.0.0.1:${PORT}`;
}
