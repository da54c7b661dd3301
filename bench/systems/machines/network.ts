import diagnostics, { type ChannelListener } from "node:diagnostics_channel";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { running, type SimulatedProcess } from "./process-context.ts";
import type { VirtualTime } from "./virtual-time.ts";

interface Target {
  host?: string;
  port?: unknown;
  lookup?: unknown;
}

const loopback = "127.0.0.1";
/** The port of the discard protocol, which nothing here speaks. */
const closedPort = 9;
const owners = new WeakMap<net.Server, SimulatedProcess>();

/** Has connections of simulated processes go where their names lead, and connections to them run in their context. */
export function installNetwork(current: () => VirtualTime): void {
  installConnect();
  installServers(current);
  for (const name of [
    ...["http.client.request.start", "http.client.request.error", "http.client.response.finish"],
    ...["http.server.request.start", "http.server.response.finish", "net.client.socket", "net.server.socket"],
    ...["undici:request:create", "undici:request:headers", "undici:request:trailers", "undici:request:error"],
  ])
    diagnostics.channel(name).subscribe(() => {
      current().activity++;
    });
  installChannels();
}

/** A subscriber of a process hears only what that process does. */
function installChannels(): void {
  const { subscribe, unsubscribe } = diagnostics;
  const wrapped = new WeakMap<ChannelListener, ChannelListener>();
  Object.assign(diagnostics, {
    subscribe(name: string, listener: ChannelListener): void {
      const owner = running.getStore();
      if (!owner) {
        subscribe(name, listener);
        return;
      }
      const own: ChannelListener = (message, channelName) => {
        if (running.getStore() === owner && owner.state === "running") listener(message, channelName);
      };
      wrapped.set(listener, own);
      subscribe(name, own);
    },
    unsubscribe(name: string, listener: ChannelListener): boolean {
      return unsubscribe(name, wrapped.get(listener) ?? listener);
    },
  });
  syncBuiltinESMExports();
}

function installConnect(): void {
  const connect = net.Socket.prototype.connect;
  let turn = 0;
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]): net.Socket {
    const owner = running.getStore();
    const target = owner && targetOf(args);
    if (!owner || !target) return Reflect.apply(connect, this, args);
    owner.sockets.add(this);
    this.once("close", () => owner.sockets.delete(this));
    const { host } = target;
    if (host === undefined || host === loopback) return Reflect.apply(connect, this, args);
    const { ports, addresses } = owner.names;
    const address = addresses[host];
    const listening = ports[`${host}:${target.port}`] ?? [];
    if (address === undefined) target.lookup = notFound;
    else {
      const port = Number(target.port);
      this.prependListener("error", (error) => rename(error, address, port));
      target.host = loopback;
      target.port = listening[turn++ % Math.max(1, listening.length)] ?? closedPort;
    }
    return Reflect.apply(connect, this, args);
  } as typeof connect;
}

/** The options of a connection, as a copy that takes their place: programs use theirs again. */
function targetOf(args: unknown[]): Target | undefined {
  const [given] = args;
  const options: unknown = Array.isArray(given) ? given[0] : given;
  if (typeof options !== "object" || options === null || !("port" in options)) return undefined;
  const target: Target = { ...options };
  if (Array.isArray(given)) given[0] = target;
  else args[0] = target;
  return target;
}

type LookupDone = (error: Error) => void;

function notFound(name: string, _options: unknown, done: LookupDone): void {
  const properties = { errno: -3_008, code: "ENOTFOUND", syscall: "getaddrinfo", hostname: name };
  process.nextTick(done, Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), properties));
}

/** An error of the connection says where it would have gone. */
function rename(error: Error & { address?: string; port?: number }, address: string, port: number): void {
  if (error.address === undefined) return;
  const seen = `${error.address}:${error.port}`;
  error.message = error.message.replace(seen, `${address}:${port}`);
  error.stack = error.stack?.replace(seen, `${address}:${port}`) ?? "";
  error.address = address;
  error.port = port;
}

function installServers(current: () => VirtualTime): void {
  const { listen, emit } = net.Server.prototype;
  net.Server.prototype.listen = function (this: net.Server, ...args: unknown[]): net.Server {
    const owner = running.getStore();
    if (owner) {
      owners.set(this, owner);
      owner.servers.add(this);
      this.once("listening", () => {
        const address = this.address();
        const answersAs: unknown = Reflect.get(this, "answersAs");
        const port = typeof address === "object" && address !== null ? address.port : 0;
        owner.onListening(port, typeof answersAs === "string" ? answersAs : null);
      });
    }
    return Reflect.apply(listen, this, args);
  } as typeof listen;
  net.Server.prototype.emit = function (this: net.Server, name: string, ...args: unknown[]): boolean {
    const owner = owners.get(this);
    const [first] = args;
    const pass = (): boolean => Reflect.apply(emit, this, [name, ...args]);
    if (!owner) return pass();
    if (name === "connection" && first instanceof net.Socket) {
      owner.sockets.add(first);
      first.once("close", () => owner.sockets.delete(first));
      first.on("error", () => first.destroy());
      // Its kernel has taken the connection.
      if (owner.state !== "running") return true;
      return running.run(owner, pass);
    }
    if (name !== "request") return pass();
    if (owner.state !== "running") return true;
    owner.requests++;
    const waitMs = owner.busyUntil - current().now;
    if (waitMs <= 0) return running.run(owner, pass);
    running.run(owner, () => current().after(owner, waitMs, pass));
    return true;
  } as typeof emit;
}
