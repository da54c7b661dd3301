import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServerOptions, WebSocketServer } from "ws";
import { addressGuard } from "../../src/http/address-guard.ts";
import { type GuardedSocket, openGuardedSocket } from "../../src/http/guarded-socket.ts";

const local = addressGuard(["127.0.0.0/8"]);

interface Opened {
  readonly socket: GuardedSocket;
  readonly texts: readonly string[];
  readonly closed: Promise<void>;
}

async function open(url: string, { mayReach = local, pingEveryMs = 5_000 } = {}): Promise<Opened> {
  const texts: string[] = [];
  const closed = Promise.withResolvers<void>();
  const socket = await openGuardedSocket(new URL(url), {
    ...{ mayReach, pingEveryMs, messageBytesMax: 100, onText: (text: string) => void texts.push(text) },
    onClosed: closed.resolve,
  });
  return { socket, texts, closed: closed.promise };
}

async function startServer(options: ServerOptions = {}): Promise<{ server: WebSocketServer; url: string }> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", ...options });
  await once(server, "listening");
  const address = server.address();
  return { server, url: `ws://127.0.0.1:${typeof address === "object" ? address?.port : ""}/` };
}

describe("a guarded WebSocket", () => {
  let server: WebSocketServer;
  let url: string;
  beforeAll(async () => {
    ({ server, url } = await startServer());
  });
  afterAll(() => server.close());

  it("sends and receives texts, and closes", async () => {
    server.once("connection", (peer) => peer.on("message", (data) => peer.send(`${data}!`)));
    const connected = once(server, "connection");
    const opened = await open(url);
    const [peer] = await connected;
    const answered = once(peer, "message");
    peer.send("hello");
    await expect.poll(() => opened.texts).toEqual(["hello"]);
    opened.socket.send("one");
    await answered;
    await expect.poll(() => opened.texts).toEqual(["hello", "one!"]);
    opened.socket.close();
    await opened.closed;
    opened.socket.send("two");
    expect(opened.texts).toEqual(["hello", "one!"]);
  });

  it("accepts a message as large as allowed, and closes on a larger one", async () => {
    for (const [bytes, taken] of [
      [100, 1],
      [101, 0],
    ] as const) {
      server.once("connection", (peer) => peer.send("x".repeat(bytes), () => peer.close()));
      const { texts, closed } = await open(url);
      await closed;
      expect(texts).toHaveLength(taken);
    }
  });

  it.each(["127.0.0.1", "localhost"])("reaches no address at %s that isn't allowed", async (host) => {
    const fresh = await startServer();
    let connections = 0;
    fresh.server.on("connection", () => (connections += 1));
    const mayReach = addressGuard([]);
    const opening = open(fresh.url.replace("127.0.0.1", host), { mayReach }).then(({ closed }) => closed);
    await (host === "localhost" ? opening : expect(opening).rejects.toThrow("has no public address"));
    expect(connections).toBe(0);
    fresh.server.close();
  });

  it("closes when nothing listens", async () => {
    const gone = await startServer();
    gone.server.close();
    await (await open(gone.url)).closed;
  });

  it("drops a peer that answers no ping, and keeps one that does", async () => {
    const silent = await startServer({ autoPong: false });
    const [deaf, alive] = await Promise.all([open(silent.url, { pingEveryMs: 5 }), open(url, { pingEveryMs: 5 })]);
    await deaf.closed;
    const peer = [...server.clients].at(-1);
    for (let pings = 0; pings < 10; pings += 1) await once(peer ?? server, "ping");
    alive.socket.close();
    await alive.closed;
    silent.server.close();
  });
});
