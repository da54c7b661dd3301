import { attachment } from "../runtime/attachment.ts";
import type { RequestContext } from "./request-context.ts";

interface Connection {
  /** The request that was answered last, until it is let go of. */
  answered: RequestContext | undefined;
  /** Whether that was since the last tick. */
  isRecent: boolean;
}

/**
 * Node sets the timer of a kept connection in the scope of the request that it has just answered, and so the connection
 * holds that request until its next one: with its body, and with its breadcrumbs. Here they are let go of. What a program
 * does after its answer is part of the request, and has them for a tick at least.
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
