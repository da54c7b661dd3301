import { setTimeout as delay } from "node:timers/promises";
import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from "@nats-io/jetstream";
import { connect, type NatsConnection, type NodeConnectionOptions, TimeoutError } from "@nats-io/transport-node";
import { minuteMs } from "@whence/protocol";
import { queueUnavailable } from "../queue-errors.ts";

/** Operations that take longer are rejected, because the gateway's clients wait for them. */
export const operationMs = 5_000;
/** How long opening waits for answers: no client waits for it, and a slow link or a busy machine isn't a wrong address. */
export const openMs = minuteMs;
/** A request without an answer by then is repeated: a server that loses leadership drops its requests. */
export const answerMs = 2_000;
/** A server that is gone is noticed after three of these: a cut cable closes no connection. */
const pingIntervalMs = 3_000;
const pingsUnanswered = 2;
const reconnectPauseMs = 250;
const retryPauseMs = 100;

/** Answers that the same question may not get a moment later: no leader yet, or another process was faster. */
const passingApiCodes = new Set([10_008, 10_013, 10_058, 10_148]);

/** The connection was lost with the answer on its way. */
class LinkLost extends Error {}

/**
 * A permanent connection to JetStream. Operations run through {@link Broker.perform}, which may run them twice when an
 * answer is lost, so each must be idempotent.
 */
export class Broker {
  /** The servers without their credentials: for messages. */
  readonly place: string;
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly #running = new Set<Promise<unknown>>();
  readonly #interrupts = new Set<(reason: Error) => void>();
  #link: AbortController | null = new AbortController();
  #restored = Promise.withResolvers<void>();

  /**
   * Rejects with `WHENCE_ERR_QUEUE_UNAVAILABLE` when none of the servers, separated by commas, can be reached: at once
   * when they refuse, and at a time of `performance.now()` when they don't answer.
   */
  static async connect(servers: string, deadline: number): Promise<Broker> {
    const { place, options } = readServers(servers);
    try {
      const connection = await firstConnection(options, deadline);
      // Those that did not answer were struck from the list.
      connection.setServers(options.servers);
      return new Broker(place, connection, await jetstreamManager(connection, { checkAPI: false, timeout: answerMs }));
    } catch (error) {
      throw queueUnavailable(place, error);
    }
  }

  private constructor(place: string, connection: NatsConnection, manager: JetStreamManager) {
    this.place = place;
    this.connection = connection;
    this.client = jetstream(connection, { timeout: answerMs });
    this.manager = manager;
    void this.#watch();
  }

  /**
   * Runs an operation until it succeeds, through lost connections and elections, for `timeoutMs` at most; rejects with
   * `WHENCE_ERR_QUEUE_UNAVAILABLE`.
   */
  async perform<Value>(run: () => Promise<Value>, timeoutMs: number = operationMs): Promise<Value> {
    const work = this.#insist(run, performance.now() + timeoutMs);
    this.#running.add(work);
    try {
      return await work;
    } catch (error) {
      throw queueUnavailable(this.place, error);
    } finally {
      this.#running.delete(work);
    }
  }

  /** A signal that fires when the present connection is lost. Waits for one; rejects as {@link Broker.perform} does. */
  link(): Promise<AbortSignal> {
    return this.perform(async () => {
      if (!this.#link) throw new LinkLost(lost);
      return this.#link.signal;
    });
  }

  /** Resolves once what was asked has been answered, or has waited long enough. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running);
    await this.connection.close();
  }

  async #insist<Value>(run: () => Promise<Value>, deadline: number): Promise<Value> {
    for (;;) {
      try {
        // Not sent while there is no connection: the library would keep it in memory, and send it in the end.
        if (!this.#link) await this.#within(deadline, () => this.#restored.promise);
        return await this.#within(deadline, run);
      } catch (error) {
        if (!mayPass(error) || performance.now() + retryPauseMs >= deadline) throw error;
        await delay(retryPauseMs);
      }
    }
  }

  #within<Value>(deadline: number, run: () => Promise<Value>): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const leftMs = Math.max(0, deadline - performance.now());
    const timer = setTimeout(() => reject(new Error(this.#link ? "no answer came in time" : lost)), leftMs);
    this.#interrupts.add(reject);
    run().then(resolve, reject);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#interrupts.delete(reject);
    });
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === "disconnect" && this.#link) {
        const link = this.#link;
        this.#link = null;
        this.#restored = Promise.withResolvers();
        link.abort();
        for (const interrupt of this.#interrupts) interrupt(new LinkLost(lost));
      } else if (type === "reconnect" && !this.#link) {
        this.#link = new AbortController();
        this.#restored.resolve();
      }
    }
  }
}

/** Tries all servers again while they only take too long, and it isn't too late. */
async function firstConnection(options: NodeConnectionOptions, deadline: number): Promise<NatsConnection> {
  for (;;) {
    try {
      return await connect(options);
    } catch (error) {
      if (!(error instanceof TimeoutError) || performance.now() > deadline) throw error;
    }
  }
}

const lost = "there is no connection";

/** True of what another attempt may not meet again. */
function mayPass(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return passingApiCodes.has(error.code);
  return error instanceof LinkLost || error instanceof TimeoutError || hasNoResponders(error);
}

/** The subject has no listener: the stream or its consumer doesn't exist, or has no leader at the moment. */
export function hasNoResponders(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "NoResponders" || hasNoResponders(error.cause);
}

function readServers(servers: string): { place: string; options: NodeConnectionOptions & { servers: string[] } } {
  const addresses = servers.split(",").map((text) => text.trim());
  // Reported without the address, which may contain a password.
  if (!addresses.every((address) => URL.canParse(address))) {
    throw queueUnavailable("on JetStream", "an address of its servers is no URL");
  }
  const urls = addresses.map((address) => new URL(address));
  const hosts = urls.map(({ host }) => host);
  const options = {
    servers: hosts,
    name: "whence",
    ...credentials(urls),
    ...(urls.some(({ protocol }) => protocol === "tls:") ? { tls: {} } : {}),
    timeout: operationMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectPauseMs,
    ignoreAuthErrorAbort: true,
    pingInterval: pingIntervalMs,
    maxPingOut: pingsUnanswered,
  };
  return { place: hosts.join(","), options };
}

/** Of the first address that has any: the servers of a cluster share their accounts. A name alone is a token. */
function credentials(urls: readonly URL[]): { user?: string; pass?: string; token?: string } {
  const found = urls.find(({ username }) => username !== "");
  if (!found) return {};
  const user = decodeURIComponent(found.username);
  return found.password === "" ? { token: user } : { user, pass: decodeURIComponent(found.password) };
}
