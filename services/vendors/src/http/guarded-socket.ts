import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import type { WebSocket } from "undici";
import type { AddressGuard } from "./address-guard.ts";
import { guardedLookup, requireReachableHost } from "./guarded-lookup.ts";

/** A WebSocket to a checked address. */
export interface GuardedSocket {
  /** Sends a text; does nothing on a socket that isn't open. */
  send(text: string): void;
  /** Asks the peer to close, and ends the connection when it doesn't. */
  close(): void;
}

interface GuardedSocketOptions {
  readonly mayReach: AddressGuard;
  /** How often the peer is pinged. */
  readonly pingEveryMs: number;
  readonly messageBytesMax: number;
  readonly onText: (text: string) => void;
  /** Called once, when the socket was closed or couldn't be opened. */
  readonly onClosed: () => void;
}

/** A peer that left this many pings unanswered, and sent nothing else, is gone. */
const unansweredPingsMax = 3;
/** How long a peer has to close, as well. */
const closingMs = 1_000;
const normalClosure = 1_000;

/** Opens a WebSocket that connects only to checked addresses, and notices when its peer is gone. */
export async function openGuardedSocket(url: URL, options: GuardedSocketOptions): Promise<GuardedSocket> {
  const { mayReach, messageBytesMax: maxPayloadSize } = options;
  requireReachableHost(url, mayReach);
  const { Agent, WebSocket, buildConnector, ping } = await import("undici");
  const connect = buildConnector({ allowH2: false, lookup: guardedLookup(mayReach) });
  let connection: Socket | null = null;
  const dispatcher = new Agent({
    webSocket: { maxPayloadSize },
    // Once upgraded, a connection no longer belongs to the agent, so this is how one to a lost peer can be ended.
    connect: (to, done) =>
      connect(to, (...answer) => {
        connection = answer[1];
        done(...answer);
      }),
  });
  const socket = new WebSocket(url, { dispatcher });
  const drop = (): void => {
    connection?.destroy();
    void dispatcher.destroy();
  };
  watch(socket, { ...options, ping: () => ping(socket), drop });
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => {
      socket.close(normalClosure);
      setTimeout(drop, closingMs).unref();
    },
  };
}

interface Watching extends Pick<GuardedSocketOptions, "pingEveryMs" | "onText" | "onClosed"> {
  readonly ping: () => void;
  readonly drop: () => void;
}

/** Passes on what the peer sends, until it closes or is gone. */
function watch(socket: WebSocket, { pingEveryMs, onText, onClosed, ping, drop }: Watching): void {
  let unanswered = 0;
  const pinging = setInterval(() => {
    unanswered += 1;
    if (unanswered > unansweredPingsMax) drop();
    else ping();
  }, pingEveryMs);
  // undici publishes the control frames of all its sockets.
  const frameChannels = ["undici:websocket:ping", "undici:websocket:pong"];
  const onFrame = (frame: unknown): void => {
    if (typeof frame === "object" && frame !== null && "websocket" in frame && frame.websocket === socket)
      unanswered = 0;
  };
  for (const name of frameChannels) subscribe(name, onFrame);
  socket.addEventListener("message", ({ data }) => {
    unanswered = 0;
    if (typeof data === "string") onText(data);
  });
  // An error is always followed by the close event.
  socket.addEventListener("error", () => undefined);
  socket.addEventListener(
    "close",
    () => {
      clearInterval(pinging);
      for (const name of frameChannels) unsubscribe(name, onFrame);
      drop();
      onClosed();
    },
    { once: true },
  );
}
