import { attachment } from "../runtime/attachment.ts";
import type { RequestContext } from "./request-context.ts";

interface Connection {
  /** The last answered request, until it is released. */
  answered: RequestContext | undefined;
  /** Whether it was answered since the last tick. */
  isRecent: boolean;
}

/**
 * Releases the bodies and breadcrumbs of answered requests. Node sets a keep-alive connection's timer in the scope of
 * the request that it has just answered, so the connection holds that request until its next one. What a program does
 * after its response still belongs to the request, which keeps its breadcrumbs for at least one tick.
 */
export class IdleConnections {
  readonly #bySocket = attachment<Connection>();
  /** Held by their sockets. */
  #connections: WeakRef<Connection>[] = [];

  /** The request of this context has been answered. */
  answered(socket: object, context: RequestContext): void {
    const known = this.#bySocket.of(socket);
    if (known) {
      known.answered = context;
      known.isRecent = true;
      return;
    }
    const connection = { answered: context, isRecent: true };
    this.#bySocket.to(socket, connection);
    this.#connections.push(new WeakRef(connection));
  }

  /** Another flush interval has passed. */
  tick(): void {
    this.#connections = this.#connections.filter((held) => {
      const connection = held.deref();
      if (connection) letGo(connection);
      return connection !== undefined;
    });
  }
}

function letGo(connection: Connection): void {
  const { answered: context, isRecent } = connection;
  connection.isRecent = false;
  if (isRecent || !context) return;
  connection.answered = undefined;
  context.ring = undefined;
  if (!context.incoming) return;
  const { method, url, originalUrl, headers } = context.incoming;
  context.incoming = { method, url, originalUrl, headers };
}
