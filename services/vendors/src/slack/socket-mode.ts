import { setTimeout as delay } from "node:timers/promises";
import type { ConnectionOptions, SenderConnection } from "../alert-senders/sender-connection.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { openSocketConnection, type SocketConnection, type SocketEvent } from "./socket-connection.ts";
import { slackSocketLimits } from "./socket-limits.ts";
import { openSlackWebApi, type SlackWebApi } from "./web-api.ts";

const { reconnectAfterMs, reconnectAfterMaxMs, rejectedAfterMs } = slackSocketLimits;

/** One Slack app in Socket Mode: a connection, and another one whenever Slack ends the previous one. */
class SocketSession {
  readonly #options: ConnectionOptions;
  /** The current connection, and those that Slack hasn't closed yet. */
  readonly #connections = new Set<SocketConnection>();
  readonly #inHand = new Set<Promise<void>>();
  #failures = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Resolves once the signal fired, every received event is on the queue, and every connection is closed. */
  async run(signal: AbortSignal): Promise<void> {
    const { inputs, outbound } = this.#options;
    const api = openSlackWebApi({ token: inputs.app_token ?? "", credential: "app-level token" }, outbound);
    while (!signal.aborted) {
      const waitMs = await this.#connect(api, signal);
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
    }
    await Promise.allSettled(this.#inHand);
    const open = [...this.#connections];
    for (const connection of open) connection.close();
    await Promise.all(open.map(({ closed }) => closed));
    await api.close();
  }

  /** Returns how long to wait before the next connection, once it is needed. */
  async #connect(api: SlackWebApi, signal: AbortSignal): Promise<number> {
    let isGreeted = false;
    try {
      const connection = await openSocketConnection(api, {
        outbound: this.#options.outbound,
        messageBytesMax: this.#options.bodyBytesMax,
        signal,
        onHello: () => {
          isGreeted = true;
          if (this.#failures > 0) this.#options.note(null);
          this.#failures = 0;
        },
        onEvent: (event) => this.#take(event),
      });
      this.#connections.add(connection);
      void connection.closed.then(() => this.#connections.delete(connection));
      const reason = await connection.ending;
      if (reason === "link_disabled") throw new VendorFailure("forbidden", "it is off in the Slack app: turn it on");
      if (!isGreeted && !signal.aborted)
        throw new VendorFailure("unavailable", `Slack ended the connection (${reason})`);
      return reconnectAfterMs;
    } catch (error) {
      return signal.aborted ? 0 : this.#waitAfter(error);
    }
  }

  #waitAfter(error: unknown): number {
    this.#failures += 1;
    const failure = error instanceof Error ? error.message : String(error);
    this.#options.note(`Socket Mode: ${failure}`);
    const { reason, retryAfterMs } = error instanceof VendorFailure ? error : unknownFailure;
    if (reason === "unauthorized" || reason === "forbidden") return rejectedAfterMs;
    return Math.max(retryAfterMs ?? 0, Math.min(reconnectAfterMs * 2 ** (this.#failures - 1), reconnectAfterMaxMs));
  }

  async #take(event: SocketEvent): Promise<void> {
    const taking = this.#options.take(JSON.stringify(event));
    this.#inHand.add(taking);
    try {
      await taking;
    } finally {
      this.#inHand.delete(taking);
    }
  }
}

/** Socket Mode for an app with an app-level token. */
export const socketMode: SenderConnection = {
  keyOf: ({ app_token: token }) => token ?? null,
  keep: (options, signal) => new SocketSession(options).run(signal),
};

const unknownFailure = { reason: "unavailable", retryAfterMs: null } as const;
