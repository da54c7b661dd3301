import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type CodeChange, type CodeFile, urlVariable } from "./code-change.ts";
import { processFolder } from "./machines/client-copies.ts";
import type { Conductor } from "./machines/conductor.ts";
import { isHeapFull } from "./machines/machine.ts";
import { type NameTable, running, SimulatedProcess } from "./machines/process-context.ts";
import { codeOf } from "./service-code.ts";
import type { ServicePlan, Topology } from "./topology.ts";
import { World } from "./world.ts";

/** Variables that differ from those of a healthy start; one without a value is taken away. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** What a service is started with. */
export interface Version {
  readonly release: string;
  readonly change: CodeChange;
  readonly settings: Settings;
}

/** A process of a service on its host. */
interface Running {
  readonly service: ServicePlan;
  readonly version: Version;
  readonly process: SimulatedProcess;
  /** Null before it listens, and after it ended. */
  port: number | null;
}

interface SystemOptions {
  readonly topology: Topology;
  readonly conductor: Conductor;
  /** Where each process has a folder. */
  readonly folder: string;
  readonly telemetryUrl: string;
}

const restartAfterMs = 25_000;
const endMs = 3_000;
const startMs = 1_000;
/** A request of a release that keeps what it made. */
const leakedBytes = 110 * 1_048_576;

/** Of this thread: modules that were loaded once stay, so no two processes may have one folder. */
let started = 0;

/** The processes of a system, and everything that they depend on. */
export class RunningSystem implements Disposable {
  readonly #options: SystemOptions;
  readonly #byHost = new Map<string, Running>();
  readonly #world = new World();
  readonly #worldProcess: SimulatedProcess;
  readonly #worldPorts = new Map<string, number>();
  /** Names that lead nowhere, and places where nothing listens. */
  readonly #gone = new Set<string>();
  readonly #down = new Set<string>();
  /** The code of each release, by service and release. */
  readonly sources = new Map<string, readonly CodeFile[]>();

  private constructor(options: SystemOptions) {
    this.#options = options;
    this.#worldProcess = new SimulatedProcess({
      ...{ host: "world", pid: 1, env: {}, startedAt: options.conductor.now, names: { ports: {}, addresses: {} } },
      onListening: (port, name) => {
        if (name !== null) this.#worldPorts.set(name, port);
      },
      onEnd: () => undefined,
    });
  }

  /** Starts everything; what is called comes first. */
  static async start(options: SystemOptions): Promise<RunningSystem> {
    const system = new RunningSystem(options);
    running.run(system.#worldProcess, () => system.#world.open(options.topology));
    await options.conductor.settle();
    for (const service of options.topology.services.toReversed()) {
      const version = { release: service.release, change: {}, settings: {} };
      for (const host of service.hosts) await system.startProcess(service, host, version);
    }
    return system;
  }

  versionOf({ name, release }: ServicePlan): Version {
    return this.#of(name)[0]?.version ?? { release, change: {}, settings: {} };
  }

  /** A port of the service that answers; null when none does. */
  portOf(service: string, turn: number): number | null {
    const ports = this.#of(service).flatMap(({ port }) => port ?? []);
    return ports[turn % ports.length] ?? null;
  }

  /** Ends processes of a service in order, and starts them as another version, one host after the other. */
  async replace(service: ServicePlan, version: Version, hosts: readonly string[] = service.hosts): Promise<void> {
    for (const host of hosts) {
      await this.#endInOrder(host);
      await this.startProcess(service, host, version);
    }
  }

  /** Ends a process without a word. */
  kill(host: string): void {
    const one = this.#byHost.get(host);
    if (one) this.#end(one);
  }

  /** Its process takes connections, and never answers. */
  hang(host: string): void {
    const one = this.#byHost.get(host);
    if (!one) return;
    one.process.state = "hung";
    this.#options.conductor.time.forget(one.process);
  }

  skew(host: string, ms: number): void {
    const one = this.#byHost.get(host);
    if (one) one.process.skewMs = ms;
  }

  /** From now on, a database or a third party is in that mood. */
  turn(name: string, mood: Parameters<World["turn"]>[1]): void {
    this.#world.turn(name, mood);
  }

  /** Nothing listens there any longer, or its name is gone. */
  cutOff(name: string, how: "down" | "gone"): void {
    (how === "down" ? this.#down : this.#gone).add(name);
    this.#publishNames();
  }

  /** The disk that a host's journal is on is full. */
  fillDisk(host: string): void {
    const path = this.#journalOf(host);
    rmSync(path, { force: true });
    symlinkSync("/dev/full", path);
  }

  /** What is full of what it kept ends, and is started again, as a cluster does. */
  endFull(): void {
    for (const one of this.#byHost.values()) {
      if (one.process.state !== "running" || !isHeapFull(one.process, this.#options.conductor.now)) continue;
      this.#end(one);
      this.#startLater(one);
    }
  }

  async startProcess(service: ServicePlan, host: string, version: Version): Promise<void> {
    const { conductor, topology } = this.#options;
    const code = codeOf(service, topology, version.change);
    this.sources.set(`${service.name} ${version.release}`, code);
    const main = this.#write(service, host, code);
    const process = new SimulatedProcess({
      ...{ host, pid: 100 + started, env: this.#environment(service, host, version) },
      ...{ startedAt: conductor.now, names: this.#names() },
      onListening: (port) => {
        one.port = port;
      },
      onEnd: () => this.#end(one),
    });
    const one: Running = { service, version, process, port: null };
    if (version.change.leaks === "memory") process.leakBytes = leakedBytes;
    this.#byHost.set(host, one);
    const isStarted = await running.run(process, () =>
      import(main).then(
        () => true,
        () => false,
      ),
    );
    if (isStarted) await conductor.runUntilDone(() => one.port !== null, startMs);
    else {
      this.#end(one);
      this.#startLater(one);
    }
    this.#publishNames();
  }

  [Symbol.dispose](): void {
    for (const one of this.#byHost.values()) this.#end(one);
    end(this.#worldProcess);
  }

  #of(service: string): Running[] {
    return [...this.#byHost.values()].filter((one) => one.service.name === service && one.port !== null);
  }

  #startLater({ service, version, process: { host } }: Running): void {
    const { conductor } = this.#options;
    conductor.plan(conductor.now + restartAfterMs, () => this.startProcess(service, host, version));
  }

  async #endInOrder(host: string): Promise<void> {
    const one = this.#byHost.get(host);
    if (!one || one.process.state === "ended") return;
    one.port = null;
    this.#publishNames();
    running.run(one.process, () => one.process.handlers.get("SIGTERM")?.());
    await this.#options.conductor.runUntilDone(() => one.process.state === "ended", endMs);
    this.#end(one);
  }

  #end(one: Running): void {
    one.port = null;
    this.#options.conductor.time.forget(one.process);
    end(one.process);
    this.#publishNames();
  }

  #write(service: ServicePlan, host: string, code: readonly CodeFile[]): string {
    const root = join(this.#options.folder, processFolder(host, started++));
    for (const { path, text } of code) {
      const file = join(root, service.name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    writeFileSync(join(root, service.name, "package.json"), JSON.stringify({ name: service.name, type: "module" }));
    return pathToFileURL(join(root, service.name, "src/main.js")).href;
  }

  #publishNames(): void {
    const names = this.#names();
    for (const { process } of this.#byHost.values()) process.names = names;
  }

  #names(): NameTable {
    const { services, parties } = this.#options.topology;
    const databases = services.flatMap(({ database }) => database ?? []);
    const ofService = (name: string): number[] => this.#of(name).flatMap(({ port }) => port ?? []);
    const places = [
      ...services.map((one) => ({ ...one, host: one.name, ports: ofService(one.name) })),
      ...parties.map((one) => ({ ...one, host: one.name, ports: this.#portsInWorld(one.name) })),
      ...databases.map((one) => ({ ...one, ports: this.#portsInWorld(one.host) })),
    ].filter(({ host }) => !this.#gone.has(host));
    return {
      ports: Object.fromEntries(places.map(({ host, port, ports }) => [`${host}:${port}`, ports])),
      addresses: Object.fromEntries(places.map(({ host, address }) => [host, address])),
    };
  }

  #portsInWorld(name: string): number[] {
    const port = this.#worldPorts.get(name);
    return port === undefined || this.#down.has(name) ? [] : [port];
  }

  #journalOf(host: string): string {
    return join(this.#options.folder, `${host}.journal`);
  }

  #environment(service: ServicePlan, host: string, { release, settings }: Version): NodeJS.ProcessEnv {
    const { topology, telemetryUrl } = this.#options;
    const known = [...topology.services, ...topology.parties];
    const urls = [...service.calls, ...service.parties].map(
      ({ to }) => [urlVariable(to), `http://${to}:${known.find(({ name }) => name === to)?.port}`] as const,
    );
    return {
      ...{ PORT: "0", WHENCE_API_KEY: "whk_bench", WHENCE_ENDPOINT: telemetryUrl, WHENCE_RELEASE: release },
      ...Object.fromEntries(urls),
      ...{ PARTY_TOKEN: "tok_live_5d0c7be1", DATABASE_PASSWORD: "pw_2f8a", SIGNING_KEY: "k1" },
      JOURNAL_FILE: this.#journalOf(host),
      ...settings,
    };
  }
}

function end(process: SimulatedProcess): void {
  process.state = "ended";
  for (const server of process.servers) server.close();
  for (const socket of process.sockets) socket.destroy();
}
