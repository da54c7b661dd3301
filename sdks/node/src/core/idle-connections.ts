import { attachment } from "../runtime/attachment.ts";

interface Connection<Context> {
  /** The context of the last answered request, until it is released. */
  answered: Context | undefined;
  /** Whether it was answered since the last tick. */
  isRecent: boolean;
}

/**
 * Releases the bodies and breadcrumbs of answered requests. Node sets a keep-alive connection's timer in the context of
 * the request that it has just answered, so the connection would hold that request until its next one. Work that a
 * program does after its response still belongs to the request, which keeps its breadcrumbs for at least one tick.
 */
export class IdleConnections<Context> {
  readonly #release: (context: Context) => void;
  readonly #bySocket = attachment<Connection<Context>>();
  /** Kept alive by their sockets. */
  #connections: WeakRef<Connection<Context>>[] = [];

  constructor(release: (context: Context) => void) {
    this.#release = release;
  }

  /** Called when the request of this context has been answered. */
  answered(socket: object, context: Context): void {
    const known = this.#bySocket.of(socket);
    if (known) {
      known.answered = context;
      known.isRecent = true;
      return;
    }
    const connection: Connection<Context> = { answered: context, isRecent: true };
    this.#bySocket.to(socket, connection);
    this.#connections.push(new WeakRef(connection));
  }

  /** Called once per flush interval. */
  tick(): void {
    this.#connections = this.#connections.filter((held) => {
      const connection = held.deref();
      if (connection) this.#letGo(connection);
      return connection !== undefined;
    });
  }

  #letGo(connection: Connection<Context>): void {
    const { answered, isRecent } = connection;
    connection.isRecent = false;
    if (isRecent || !answered) return;
    connection.answered = undefined;
    this.#release(answered);
  }
}
