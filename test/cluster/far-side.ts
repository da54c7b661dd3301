import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { promisify } from "node:util";
import type { Cluster } from "./cluster.ts";

const run = promisify(execFile);
/**
 * The two ends of this process's cable, in one of the 32,768 networks of two addresses in 198.18.0.0/15, which is for
 * tests (RFC 2544). With an address that another run on this machine has, or had when it was killed, packets would go
 * through that run's cable.
 */
const nearAddress = addressOf(1);
const farAddress = addressOf(2);

/** A writer and an analyzer on a separate host, whose only cable can be pulled. */
export interface FarSide extends AsyncDisposable {
  /** Drops all packets from now on, so that neither side notices that a connection ended. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Creates the host (a network namespace; needs root), and starts both roles in it. */
export async function startFarSide({ nats, environment, role }: Cluster): Promise<FarSide> {
  const namespace = `whence-${process.pid}`;
  const cable = `wh${process.pid}`;
  const parts = new AsyncDisposableStack();
  try {
    await layCable(namespace, cable, parts);
    const far = async (url: string): Promise<string> => {
      const { hostname, port } = new URL(url);
      const relay = await startRelay(hostname, Number(port));
      parts.defer(() => relay.stop());
      return url.replace(`${hostname}:${port}`, `${nearAddress}:${relay.port}`);
    };
    const farEnvironment = {
      NATS_URL: (await Promise.all(nats.urls.split(",").map(far))).join(","),
      CLICKHOUSE_URL: await far(environment.CLICKHOUSE_URL ?? ""),
      DATABASE_URL: await far(environment.DATABASE_URL ?? ""),
    };
    const under = ["ip", "netns", "exec", namespace];
    const started = async (kind: "writer" | "analyzer", port: number): Promise<void> => {
      const options = { role: kind, host: farAddress, port, under, environment: farEnvironment };
      const process = await role(`${kind}-far`, options);
      parts.defer(async () => void (await process.end("SIGTERM")));
      await process.start();
    };
    await Promise.all([started("writer", 4001), started("analyzer", 4002)]);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
  return {
    cut: async () => void (await run("ip", ["link", "set", `${cable}n`, "down"])),
    mend: async () => void (await run("ip", ["link", "set", `${cable}n`, "up"])),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

async function layCable(namespace: string, cable: string, parts: AsyncDisposableStack): Promise<void> {
  const near = `${cable}n`;
  const far = `${cable}f`;
  const inside = ["netns", "exec", namespace, "ip"];
  await run("ip", ["netns", "add", namespace]);
  parts.defer(async () => void (await run("ip", ["netns", "del", namespace])));
  await run("ip", ["link", "add", near, "type", "veth", "peer", "name", far]);
  await run("ip", ["link", "set", far, "netns", namespace]);
  await run("ip", ["addr", "add", `${nearAddress}/30`, "dev", near]);
  await run("ip", ["link", "set", near, "up"]);
  await run("ip", [...inside, "addr", "add", `${farAddress}/30`, "dev", far]);
  await run("ip", [...inside, "link", "set", far, "up"]);
  await run("ip", [...inside, "link", "set", "lo", "up"]);
}

/** Forwards connections from the near end of the cable to a server on the loopback interface. */
async function startRelay(hostname: string, port: number): Promise<{ port: number; stop: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const relay: Server = createServer((incoming) => {
    const outgoing = connect(port, hostname);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      // A broken end breaks the other, as it should.
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  relay.listen(0, nearAddress);
  await once(relay, "listening");
  const address = relay.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    async stop() {
      for (const socket of sockets) socket.destroy();
      relay.close();
      await once(relay, "close");
    },
  };
}

function addressOf(end: 1 | 2): string {
  const number = (process.pid % 2 ** 15) * 4 + end;
  return [198, 18 + (number >> 16), (number >> 8) & 0xff, number & 0xff].join(".");
}
