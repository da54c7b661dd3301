import dns from "node:dns";
import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { addressGuard } from "../../src/http/address-guard.ts";
import type { OutboundContext } from "../../src/outbound-context.ts";

/**
 * A name whose server changes what it stands for (DNS rebinding): 127.0.0.2, which may be reached, the first time that it is
 * looked up, and 127.0.0.1, which may not, from then on. Both listen on the same port.
 */
export interface ChangingName {
  readonly name: string;
  readonly port: number;
  /** How often each was connected to. */
  readonly connections: { allowed: number; refused: number };
  readonly lookups: () => number;
  /** Allows the first address alone. */
  readonly context: OutboundContext;
  close(): Promise<void>;
}

const addresses = { allowed: "127.0.0.2", refused: "127.0.0.1" };

/** What is allowed hangs up on everyone, so that clients try again and look the name up again. */
export async function startChangingName(): Promise<ChangingName> {
  const connections = { allowed: 0, refused: 0 };
  const name = "rebinding.example";
  const hangUp = (which: keyof typeof connections) => (socket: Socket) => {
    connections[which] += 1;
    socket.destroy();
  };
  const refused = await listen(createServer(hangUp("refused")), addresses.refused, 0);
  const { port } = refused.address() as AddressInfo;
  const allowed = await listen(createServer(hangUp("allowed")), addresses.allowed, port);
  let lookups = 0;
  const restore = answerLookups(name, () => {
    lookups += 1;
    return lookups === 1 ? addresses.allowed : addresses.refused;
  });
  return {
    ...{ name, port, connections, lookups: () => lookups },
    context: { mayReach: addressGuard([`${addresses.allowed}/32`]), clock: Date.now },
    async close() {
      restore();
      for (const server of [refused, allowed]) await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server, host: string, port: number): Promise<Server> {
  server.listen(port, host);
  await once(server, "listening");
  return server;
}

/** Stands in for the system's resolver, which asks servers that aren't here; all other names stay what they are. */
function answerLookups(name: string, answer: () => string): () => void {
  const { lookup } = dns;
  Object.assign(dns, {
    lookup(hostname: string, ...rest: unknown[]) {
      return Reflect.apply(lookup, dns, [hostname === name ? answer() : hostname, ...rest]);
    },
  });
  syncBuiltinESMExports();
  return () => {
    Object.assign(dns, { lookup });
    syncBuiltinESMExports();
  };
}
