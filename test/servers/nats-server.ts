import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { findNatsServer } from "./programs.ts";

const user = "whence";
/** Not a secret, but unusual enough to be found wherever it should not be. */
const password = "pw-of-the-test-nats";
/** A cluster elects its leader first, and its three nodes share the machine with the tests. */
const readyMs = 300_000;
const pollMs = 50;
const lastLinesKept = 20;

/**
 * NATS with JetStream on the loopback interface, with a temporary data folder; it ends with this process at the latest.
 */
export interface NatsCluster {
  /** The URLs of all nodes, separated by commas, including credentials. */
  readonly urls: string;
  /** Sends a signal to a node, and waits for its exit unless the signal stops or continues it. */
  kill(node: number, signal: NodeJS.Signals): Promise<void>;
  /** Restarts a node that ended, with its data and port; resolves when it serves again. */
  restart(node: number): Promise<void>;
  stop(): Promise<void>;
}

export interface NatsServerOptions {
  /** 1 by default. 3 form a cluster, ready once it has elected its leader. */
  readonly nodes?: 1 | 3;
  /** Lines added to each node's configuration. */
  readonly settings?: readonly string[];
}

/** One node, running or not. */
interface Node {
  readonly program: string;
  readonly configuration: string;
  readonly url: string;
  readonly monitor: string;
  readonly clustered: boolean;
  child: ChildProcess | null;
}

/** Throws an error that says how to install nats-server when it is missing, and with its last lines when it ends. */
export async function startNatsServer({
  nodes: count = 1,
  settings = [],
}: NatsServerOptions = {}): Promise<NatsCluster> {
  const folder = await mkdtemp(join(tmpdir(), "whence-nats-"));
  const nodes = await configure(folder, count, settings);
  const killAll = (): void => {
    for (const { child } of nodes) child?.kill("SIGKILL");
  };
  process.once("exit", killAll);
  const at = (index: number): Node => {
    const node = nodes[index];
    if (!node) throw new Error(`there is no node ${index}, only ${nodes.length}`);
    return node;
  };
  const cluster: NatsCluster = {
    urls: nodes.map(({ url }) => url).join(","),
    kill: (index, signal) => end(at(index), signal),
    restart: (index) => start(at(index)),
    async stop() {
      process.off("exit", killAll);
      await Promise.all(nodes.map((node) => end(node, "SIGKILL")));
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  try {
    await Promise.all(nodes.map(start));
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
}

async function configure(folder: string, count: number, settings: readonly string[]): Promise<Node[]> {
  const program = findNatsServer();
  const ports = await Promise.all(Array.from({ length: 3 * count }, freePort));
  const routes = ports.slice(2 * count).map((port) => `nats://127.0.0.1:${port}`);
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const [port, monitorPort, routePort] = [0, 1, 2].map((kind) => ports[kind * count + index]);
      const configuration = join(folder, `node-${index}.conf`);
      const cluster = `cluster { name: whence, listen: "127.0.0.1:${routePort}", routes: [${routes.join(", ")}] }`;
      const lines = [
        `server_name: node-${index}`,
        `listen: "127.0.0.1:${port}"`,
        `http: "127.0.0.1:${monitorPort}"`,
        `jetstream { store_dir: "${join(folder, `node-${index}`)}", sync_interval: always }`,
        `authorization { user: ${user}, password: ${password} }`,
        ...(count > 1 ? [cluster] : []),
        ...settings,
      ];
      await writeFile(configuration, lines.join("\n"));
      const url = `nats://${user}:${password}@127.0.0.1:${port}`;
      const monitor = `http://127.0.0.1:${monitorPort}`;
      return { program, configuration, url, monitor, clustered: count > 1, child: null };
    }),
  );
}

/** Resolves when the node serves JetStream; rejects with its last lines when it ends first, or takes too long. */
async function start(node: Node): Promise<void> {
  const child = spawn(node.program, ["--config", node.configuration], { stdio: ["ignore", "ignore", "pipe"] });
  node.child = child;
  const lines: string[] = [];
  createInterface(child.stderr).on("line", (line) => {
    lines.push(line);
    if (lines.length > lastLinesKept) lines.shift();
  });
  const failed = once(child, "error").then(([error]) => Promise.reject(error));
  // Observed here already, since a program that can't be started fails before the first poll.
  failed.catch(() => undefined);
  const deadline = performance.now() + readyMs;
  while (!(await Promise.race([serves(node), failed]))) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (ended || performance.now() > deadline) {
      throw new Error(`nats-server ${ended ? "ended" : "is not ready"}:\n${lines.join("\n")}`);
    }
    await delay(pollMs);
  }
}

async function serves({ monitor, clustered }: Node): Promise<boolean> {
  try {
    const health = await fetch(`${monitor}/healthz?js-server-only=true`);
    await health.body?.cancel();
    if (!health.ok || !clustered) return health.ok;
    const jetStream: unknown = await (await fetch(`${monitor}/jsz`)).json();
    return leaderOf(jetStream) !== "";
  } catch {
    // It isn't listening yet; the caller has a deadline.
    return false;
  }
}

function leaderOf(answer: unknown): string {
  if (typeof answer !== "object" || answer === null || !("meta_cluster" in answer)) return "";
  const { meta_cluster: meta } = answer;
  return typeof meta === "object" && meta !== null && "leader" in meta ? String(meta.leader) : "";
}

async function end({ child }: Node, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  if (signal !== "SIGSTOP" && signal !== "SIGCONT") await ended;
}
