import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningProcess, startProcess } from "./child-process.ts";
import { freePort } from "./free-port.ts";
import { findPython, pythonPath } from "./python.ts";

export const shopServices = ["storefront", "orders", "payments", "catalog", "shipping", "discounts"] as const;
export type ShopService = (typeof shopServices)[number];

/** Returns the services that run on this machine: all, or those in Node where Python is missing. */
export function runningServices(): ShopService[] {
  return shopServices.filter((service) => service !== "discounts" || findPython() !== undefined);
}

/** Returns the path of the script that runs a service, below the folder of the shop. */
export function mainScript(service: ShopService): string {
  return `${service}/main.${service === "discounts" ? "py" : "ts"}`;
}

/** Variables that differ from a healthy shop's; one without a value is removed. */
export type Changes = Partial<Record<ShopService, Readonly<Record<string, string | undefined>>>>;

export const shopFolder: string = join(import.meta.dirname, "..");

/** The first release of every service. */
export const firstRelease = "1.0.0";
const namesPreload: string = join(import.meta.dirname, "names.ts");

/** The services, running. */
export interface Shop {
  /** The customers' entry address. */
  readonly url: string;
  readonly processes: ReadonlyMap<ShopService, RunningProcess>;
  /** Stops a service and starts a release of it in its place. */
  deploy(release: { readonly service: ShopService; readonly release: string; readonly script: string }): Promise<void>;
  /** Starts a service that has died once more, as what runs services does. */
  restart(service: ShopService): Promise<void>;
  /** Whether a process has left events on disk that it couldn't send. */
  hasUnsentEvents(): Promise<boolean>;
  /** Stops all services, each after it has sent its events. */
  stop(): Promise<void>;
}

/** The destination of the shop's telemetry. */
export interface Telemetry {
  readonly url: string;
  readonly apiKey: string;
}

/** A release of a service, and the script that runs it. */
interface Deployed {
  readonly release: string;
  readonly script: string;
}

function firstOf(service: ShopService): Deployed {
  return { release: firstRelease, script: join(shopFolder, mainScript(service)) };
}

/** Starts the services, each a process on a free port. */
export async function startShop(telemetry: Telemetry, changes: Changes, signal: AbortSignal): Promise<Shop> {
  const opened = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), "whence-shop-"));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const environments = await healthyEnvironments(telemetry, folder);
    const processes = new Map<ShopService, RunningProcess>();
    const deployed = new Map<ShopService, Deployed>();
    const start = async (service: ShopService, { release, script } = firstOf(service)): Promise<void> => {
      deployed.set(service, { release, script });
      const environment = { ...environments[service], ...changes[service], WHENCE_RELEASE: release };
      const readyUrl = `${addressOf(environment)}/healthz`;
      const running = await startProcess({ name: service, script, environment, readyUrl }, signal);
      opened.defer(() => running.stop());
      processes.set(service, running);
    };
    // All settle before anything is stopped, so that none is left behind when another one fails.
    const failed = (await Promise.allSettled(runningServices().map((service) => start(service)))).find(
      ({ status }) => status === "rejected",
    );
    if (failed?.status === "rejected") throw failed.reason;
    return {
      url: addressOf(environments.storefront),
      processes,
      async deploy({ service, release, script }) {
        await processes.get(service)?.stop();
        await start(service, { release, script });
      },
      restart: (service) => start(service, deployed.get(service)),
      async hasUnsentEvents() {
        const left = await readdir(folder, { recursive: true });
        const gone = [...processes.values()].filter((running) => running.hasEnded());
        return gone.some(({ pid }) => left.some((file) => file.endsWith(".spool") && file.includes(`.${pid}.`)));
      },
      stop: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

type Environment = Readonly<Record<string, string>> & { readonly PORT: string };

async function healthyEnvironments(
  { url, apiKey }: Telemetry,
  folder: string,
): Promise<Record<ShopService, Environment>> {
  const telemetry = {
    WHENCE_ENDPOINT: url,
    WHENCE_API_KEY: apiKey,
    // The clients' spools are deleted with the shop.
    TMPDIR: folder,
    NODE_OPTIONS: `--import ${namesPreload}`,
    PYTHONPATH: pythonPath,
    SHOP_NAMES: shopServices.join(),
  };
  const settings = async (): Promise<Environment> => ({ ...telemetry, PORT: String(await freePort()) });
  const catalog = await settings();
  const shipping = { ...(await settings()), MANIFEST_FILE: join(folder, "manifest.txt") };
  const payments = {
    ...(await settings()),
    RECEIPT_SIGNING_KEY: "a-key-for-the-demo",
    AUDIT_DIRECTORY: folder,
  };
  const backends = {
    PAYMENTS_URL: addressOf(payments, "payments"),
    CATALOG_URL: addressOf(catalog, "catalog"),
    SHIPPING_URL: addressOf(shipping, "shipping"),
  };
  const discounts = { ...(await settings()), CATALOG_URL: backends.CATALOG_URL };
  const hasDiscounts = runningServices().includes("discounts");
  const orders = {
    ...(await settings()),
    ...backends,
    ...(hasDiscounts && { DISCOUNTS_URL: addressOf(discounts, "discounts") }),
  };
  const storefront = { ...(await settings()), ...backends, ORDERS_URL: addressOf(orders, "orders") };
  return { storefront, orders, payments, catalog, shipping, discounts };
}

/** Returns a service's address for this process, or by its name, for the others. */
function addressOf({ PORT }: { readonly PORT: string }, host = "127.0.0.1"): string {
  return `http://${host}:${PORT}`;
}
