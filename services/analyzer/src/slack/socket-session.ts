import { setTimeout as delay } from "node:timers/promises";
import { type ControlDb, type KnownAlertSource, type Queue, webhooksTopic } from "@whence/storage";
import type { OutboundContext } from "../integrations/integration.ts";
import { VendorFailure } from "../integrations/vendor-failure.ts";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { queuedWebhook } from "../triggers/queued-webhook.ts";
import { slack } from "../triggers/senders/slack.ts";
import { openSocketConnection, type SocketConnection, type SocketEvent } from "./socket-connection.ts";
import { slackSocketLimits } from "./socket-limits.ts";
import { openSlackWebApi, type SlackWebApi } from "./web-api.ts";

const { reconnectAfterMs, reconnectAfterMaxMs, rejectedAfterMs } = slackSocketLimits;

export interface SocketSessionContext {
  readonly control: ControlDb;
  readonly queue: Queue;
  readonly metrics: AnalyzerMetrics;
  readonly outbound: OutboundContext;
  readonly logger: Logger;
}

/** One Slack app in Socket Mode: a connection to it, and another one whenever Slack ends the one before. */
export class SocketSession {
  readonly #context: SocketSessionContext;
  readonly #source: KnownAlertSource;
  /** The current connection, and those that Slack hasn't closed yet. */
  readonly #connections = new Set<SocketConnection>();
  readonly #inHand = new Set<Promise<void>>();
  #failures = 0;

  constructor(context: SocketSessionContext, source: KnownAlertSource) {
    this.#context = context;
    this.#source = source;
  }

  /** Resolves once the signal fired, every event in hand is on the queue, and every connection is closed. */
  async run(signal: AbortSignal): Promise<void> {
    const token = this.#source.inputs.app_token ?? "";
    const api = openSlackWebApi({ token, credential: "app-level token" }, this.#context.outbound);
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

  /** How long to wait before the next connection, once it is needed. */
  async #connect(api: SlackWebApi, signal: AbortSignal): Promise<number> {
    let isGreeted = false;
    try {
      const connection = await openSocketConnection(api, {
        ...{ outbound: this.#context.outbound, signal },
        onHello: () => {
          isGreeted = true;
          if (this.#failures > 0) this.#note({ alerts: 0 });
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
    this.#note({ failure: `Socket Mode: ${failure}` });
    const { reason, retryAfterMs } = error instanceof VendorFailure ? error : unknownFailure;
    if (reason === "unauthorized" || reason === "forbidden") return rejectedAfterMs;
    return Math.max(retryAfterMs ?? 0, Math.min(reconnectAfterMs * 2 ** (this.#failures - 1), reconnectAfterMaxMs));
  }

  /** Puts an event on the queue, as it would have come over HTTP; Slack sends it again when this rejects. */
  async #take(event: SocketEvent): Promise<void> {
    const taking = this.#publish(event);
    this.#inHand.add(taking);
    try {
      await taking;
    } catch (error) {
      this.#context.logger.warn({ err: error, source: this.#source.id }, "couldn't queue an event of Slack");
      throw error;
    } finally {
      this.#inHand.delete(taking);
    }
  }

  async #publish(event: SocketEvent): Promise<void> {
    const { queue, metrics, outbound } = this.#context;
    const body = JSON.stringify(event);
    const id = slack.deliveryId({ headers: {}, body: Buffer.from(body) });
    const delivery = { id, headers: {}, body, receivedAt: outbound.clock() };
    await queue.publish(webhooksTopic, [queuedWebhook(this.#source, delivery)]);
    metrics.webhooks.inc({ kind: "slack", outcome: "accepted" });
  }

  #note(outcome: { readonly alerts: number } | { readonly failure: string }): void {
    const { control, outbound, logger } = this.#context;
    const { id, scopeId } = this.#source;
    control
      .scope(scopeId)
      .alertSources.note(id, outcome, new Date(outbound.clock()))
      .catch((error: unknown) => logger.warn({ err: error, source: id }, "couldn't note the state of Socket Mode"));
  }
}

const unknownFailure = { reason: "unavailable", retryAfterMs: null } as const;
