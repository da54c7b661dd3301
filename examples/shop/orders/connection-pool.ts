/** No connection became free in time. */
class PoolTimeoutError extends Error {
  override readonly name = "PoolTimeoutError";
}

/** Lends a fixed number of connections; who comes when all are lent waits in line. */
export class ConnectionPool<Connection> {
  readonly #idle: Connection[];
  readonly #size: number;
  readonly #acquireTimeoutMs: number;
  #waiting: ((connection: Connection) => void)[] = [];

  constructor(connections: readonly Connection[], acquireTimeoutMs: number) {
    this.#idle = [...connections];
    this.#size = connections.length;
    this.#acquireTimeoutMs = acquireTimeoutMs;
  }

  /** A connection, to be given to `release` afterwards. Rejects with {@link PoolTimeoutError}. */
  async acquire(): Promise<Connection> {
    const connection = this.#idle.pop() ?? (await this.#nextReleased());
    if (connection === undefined) {
      const inUse = this.#size - this.#idle.length;
      throw new PoolTimeoutError(
        `timed out after ${this.#acquireTimeoutMs} ms waiting for a connection: ${inUse} of ${this.#size} in use`,
      );
    }
    return connection;
  }

  /** Hands the connection to who waits longest, or keeps it until somebody comes. */
  release(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#idle.push(connection);
  }

  #nextReleased(): Promise<Connection | undefined> {
    return new Promise((resolve) => {
      const receive = (connection: Connection): void => {
        clearTimeout(timer);
        resolve(connection);
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== receive);
        resolve(undefined);
      }, this.#acquireTimeoutMs);
      this.#waiting.push(receive);
    });
  }
}
