import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { outputTail, type RunningProcess, startProcess } from "../../examples/shop/demo/child-process.ts";
import { pythonPath } from "../../examples/shop/demo/python.ts";
import { mainScript, runningServices, type ShopService, shopServices } from "../../examples/shop/demo/shop.ts";
import { freePort } from "../../test/servers/free-port.ts";
import type { Settings } from "./fault.ts";
import { parties } from "./outside.ts";
import { firstRelease, nextRelease } from "./releases.ts";
import type { ShopCopy } from "./shop-copy.ts";

const namesPreload = join(import.meta.dirname, "../../examples/shop/demo/names.ts");
const clientSource = join(import.meta.dirname, "../../sdks/node/src/register.ts");
/** The pause before a process that exited is restarted; it doubles each time. */
const restartPauseMs = 1_000;
const restartPauseMaxMs = 8_000;
/** The time that a service needs to answer its requests and report its exit. */
const endMs = 3_000;

/** The common settings of a shop's services. */
export interface Surroundings {
  readonly apiKey: string;
  readonly telemetryUrl: string;
  readonly outsidePort: number;
  /** What starts the client in each process; by default its source. */
  readonly client?: string;
}

/** The version of a service to start. */
interface Version {
  readonly release: string;
  readonly settings: Settings;
}

/** The services as processes, restarted when they die, as in a cluster. */
export class RunningShop implements AsyncDisposable {
  readonly #copy: ShopCopy;
  readonly #surroundings: Surroundings;
  readonly #ports: ReadonlyMap<ShopService, number>;
  readonly #versions = new Map<ShopService, Version>();
  readonly #processes = new Map<ShopService, RunningProcess>();
  /** Services that aren't restarted when they exit. */
  readonly #leftAlone = new Set<ShopService>();
  readonly #diedAt = new Map<ShopService, number>();
  readonly #closed = new AbortController();

  private constructor(copy: ShopCopy, surroundings: Surroundings, ports: ReadonlyMap<ShopService, number>) {
    this.#copy = copy;
    this.#surroundings = surroundings;
    this.#ports = ports;
  }

  static async start(
    copy: ShopCopy,
    surroundings: Surroundings,
    settings: Partial<Record<ShopService, Settings>>,
  ): Promise<RunningShop> {
    const ports = new Map<ShopService, number>();
    for (const service of shopServices) ports.set(service, await freePort());
    const shop = new RunningShop(copy, surroundings, ports);
    const starts = runningServices().map((service) =>
      shop.#start(service, { release: firstRelease, settings: settings[service] ?? {} }),
    );
    const failed = (await Promise.allSettled(starts)).find(({ status }) => status === "rejected");
    if (failed?.status !== "rejected") return shop;
    await shop[Symbol.asyncDispose]();
    throw failed.reason;
  }

  /** Returns the address of the service on this machine. */
  addressOf(service: ShopService): string {
    return `http://127.0.0.1:${this.#ports.get(service)}`;
  }

  /** Returns the name by which a service of the shop addresses another. */
  nameOf(service: ShopService, host: string = service): string {
    return `http://${host}:${this.#ports.get(service)}`;
  }

  /** Shuts the process down and restarts the service, with a new release or other settings. */
  async startAgain(service: ShopService, kind: "deploy" | "restart", settings: Settings = {}): Promise<void> {
    const before = this.#versions.get(service);
    const release = kind === "deploy" ? nextRelease : (before?.release ?? firstRelease);
    this.#leftAlone.add(service);
    await this.#processes.get(service)?.stop();
    this.#leftAlone.delete(service);
    const version = { release, settings: { ...before?.settings, ...settings } };
    // A release that can't start is restarted repeatedly, like any other.
    await this.#start(service, version).catch(() => this.#restartLater(service, version, restartPauseMs));
  }

  /** Sends a signal. A process that exits because of it isn't restarted. */
  signal(service: ShopService, signal: NodeJS.Signals): void {
    this.#leftAlone.add(service);
    this.#processes.get(service)?.kill(signal);
  }

  /** Returns when a process of the service first exited on its own, in milliseconds since 1970. */
  diedAt(service: ShopService): number | undefined {
    return this.#diedAt.get(service);
  }

  /** Returns the end of the processes' output, for finding out why a fault had no effect. */
  output(): string {
    return [...this.#processes.values()].map(outputTail).join("\n");
  }

  /**
   * Shuts everything down in order: if the shops of many faults were killed together, the service would wait longer for
   * all of them, because the cause may be the network. A process that hangs is killed.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    const processes = [...this.#processes.values()];
    const ended = Promise.all(processes.map((running) => running.ended));
    for (const running of processes) running.kill("SIGTERM");
    await Promise.race([ended, delay(endMs)]);
    for (const running of processes) running.kill("SIGKILL");
    await ended;
  }

  async #start(service: ShopService, version: Version): Promise<void> {
    this.#versions.set(service, version);
    const running = await startProcess(
      {
        name: service,
        script: join(this.#copy.folder, mainScript(service)),
        environment: this.#environment(service, version),
        readyUrl: `${this.addressOf(service)}/healthz`,
      },
      this.#closed.signal,
    );
    this.#processes.set(service, running);
    void running.ended.then(() => {
      if (this.#leftAlone.has(service)) return;
      this.#diedAt.set(service, this.#diedAt.get(service) ?? Date.now());
      this.#restartLater(service, version, restartPauseMs);
    });
  }

  #restartLater(service: ShopService, version: Version, pauseMs: number): void {
    const { signal } = this.#closed;
    if (signal.aborted || this.#versions.get(service) !== version) return;
    delay(pauseMs, undefined, { signal })
      .then(() => this.#start(service, version))
      .catch(() => this.#restartLater(service, version, Math.min(pauseMs * 2, restartPauseMaxMs)));
  }

  #environment(service: ShopService, { release, settings }: Version): Record<string, string | undefined> {
    const { apiKey, telemetryUrl, outsidePort, client = clientSource } = this.#surroundings;
    const { NODE_OPTIONS: ownFlags = "", ...rest } = settings;
    return {
      NODE_OPTIONS: `--import ${namesPreload} --import ${client} ${ownFlags}`,
      SHOP_NAMES: [...shopServices, ...parties].join(),
      PYTHONPATH: pythonPath,
      PORT: String(this.#ports.get(service)),
      WHENCE_API_KEY: apiKey,
      WHENCE_ENDPOINT: telemetryUrl,
      WHENCE_SERVICE: service,
      WHENCE_RELEASE: release,
      ORDERS_URL: this.nameOf("orders"),
      PAYMENTS_URL: this.nameOf("payments"),
      CATALOG_URL: this.nameOf("catalog"),
      SHIPPING_URL: this.nameOf("shipping"),
      ...(runningServices().includes("discounts") && { DISCOUNTS_URL: this.nameOf("discounts") }),
      ACQUIRER_URL: `http://acquirer:${outsidePort}`,
      ACQUIRER_TOKEN: "acq_live_5d0c7be1",
      CARRIER_URL: `http://carrier:${outsidePort}`,
      CARRIER_TOKEN: "car_live_88e2f4a0",
      RECEIPT_SIGNING_KEY: "a-key-for-the-bench",
      AUDIT_DIRECTORY: this.#copy.folder,
      MANIFEST_FILE: join(this.#copy.folder, "manifest.txt"),
      PRODUCT_FILE: join(this.#copy.folder, "catalog/products.json"),
      ...rest,
    };
  }
}
