import type { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { buildConnector, Dispatcher } from "undici";
import type { AddressGuard } from "./address-guard.ts";
import { guardedLookup, requireReachableHost } from "./guarded-lookup.ts";

/** Connections to checked addresses only. */
export interface GuardedAgent {
  request(url: URL, asked: GuardedRequest): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

export interface GuardedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

interface GuardedAgentOptions {
  readonly mayReach: AddressGuard;
  /** Per host; unlimited by default. */
  readonly connectionsMax?: number;
  readonly tls?: Pick<ConnectionOptions, "ca" | "cert" | "key" | "servername"> | undefined;
  /** Called with each connection once it is open. */
  readonly onConnected?: (socket: Socket) => void;
}

/** Loads undici with the first request, because most processes never make one. */
export function openGuardedAgent({ mayReach, connectionsMax, tls, onConnected }: GuardedAgentOptions): GuardedAgent {
  const open = async () => {
    const { Agent, buildConnector: connectorOf, request } = await import("undici");
    const options = { ...tls, lookup: guardedLookup(mayReach) };
    const connect = onConnected ? announcing(connectorOf(options), onConnected) : options;
    return { request, agent: new Agent({ connections: connectionsMax ?? null, connect }) };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    async request(url, { method, headers, body, signal }) {
      requireReachableHost(url, mayReach);
      opened ??= open();
      const { request, agent } = await opened;
      return request(url, { method, headers, body, signal, dispatcher: agent });
    },
    close: async () => (await opened)?.agent.destroy(),
  };
}

function announcing(
  connector: buildConnector.connector,
  onConnected: (socket: Socket) => void,
): buildConnector.connector {
  return (to, done) =>
    connector(to, (...connected) => {
      const [, socket] = connected;
      if (socket) onConnected(socket);
      done(...connected);
    });
}
