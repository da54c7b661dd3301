import { setTimeout as delay } from "node:timers/promises";
import { type ControlDb, type KnownAlertSource, type Queue, webhooksTopic } from "@whence/storage";
import {
  type AlertSender,
  type AlertSenders,
  alertSenders,
  type OutboundContext,
  type SenderConnection,
} from "@whence/vendors";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { triggerLimits } from "../triggers/trigger-limits.ts";
import { queuedWebhook } from "./queued-webhook.ts";

/** The connections of all sources whose sender delivers over a connection. */
export interface SenderConnections {
  /** Accepts nothing new, publishes what has arrived, and closes every connection. */
  stop(): Promise<void>;
}

export interface SenderConnectionsOptions {
  readonly control: ControlDb;
  readonly queue: Queue;
  readonly metrics: AnalyzerMetrics;
  readonly outbound: OutboundContext;
  readonly logger: Logger;
  /** Those that there are by default. */
  readonly senders?: AlertSenders;
}

/** The connection of one source, and how it is ended. */
interface Session {
  readonly ending: AbortController;
  readonly ended: Promise<void>;
}

interface Connecting {
  readonly source: KnownAlertSource;
  readonly sender: AlertSender;
  readonly connection: SenderConnection;
}

/**
 * Keeps a connection for each source whose inputs contain what opens one. Each process has its own: the sender sends a
 * delivery to one of them, and a repeated one is already on the queue.
 */
export function startSenderConnections(options: SenderConnectionsOptions): SenderConnections {
  const sessions = new Map<string, Session>();
  const stopping = new AbortController();
  const looking = look(options, sessions, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await looking;
      for (const { ending } of sessions.values()) ending.abort();
      await Promise.all([...sessions.values()].map(({ ended }) => ended));
    },
  };
}

async function look(
  options: SenderConnectionsOptions,
  sessions: Map<string, Session>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      adjust(options, sessions, await wantedConnections(options));
    } catch (error) {
      options.logger.warn({ err: error }, "couldn't look for sources that are connected to; will retry");
    }
    await delay(triggerLimits.connectionsLookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns what to connect, by source, with its inputs. */
async function wantedConnections({
  control,
  senders = alertSenders,
}: SenderConnectionsOptions): Promise<ReadonlyMap<string, Connecting>> {
  const wanted = new Map<string, Connecting>();
  for (const sender of senders.all) {
    const { connection, kind } = sender;
    if (!connection) continue;
    for (const source of await control.alertSources.ofKind(kind)) {
      const key = connection.keyOf(source.inputs);
      if (key !== null) wanted.set(`${source.id} ${key}`, { source, sender, connection });
    }
  }
  return wanted;
}

/** Ends the connections whose source or token is gone, and opens one for each new token. */
function adjust(
  options: SenderConnectionsOptions,
  sessions: Map<string, Session>,
  wanted: ReadonlyMap<string, Connecting>,
): void {
  for (const [key, { ending }] of sessions) {
    if (wanted.has(key)) continue;
    ending.abort();
    sessions.delete(key);
  }
  for (const [key, connecting] of wanted) {
    if (sessions.has(key)) continue;
    if (sessions.size >= triggerLimits.connectionsMax) {
      options.logger.warn({ source: connecting.source.id }, "too many sources to connect to; one isn't connected");
      continue;
    }
    const ending = new AbortController();
    sessions.set(key, { ending, ended: keep(options, connecting, ending.signal) });
  }
}

function keep(options: SenderConnectionsOptions, connecting: Connecting, signal: AbortSignal): Promise<void> {
  const { control, outbound, logger } = options;
  const { source, connection } = connecting;
  const note = (failure: string | null): void => {
    const outcome = failure === null ? { alerts: 0 } : { failure };
    control
      .scope(source.scopeId)
      .alertSources.note(source.id, outcome, new Date(outbound.clock()))
      .catch((error: unknown) => logger.warn({ err: error, source: source.id }, "couldn't note a connection's state"));
  };
  const take = (body: string): Promise<void> => publish(options, connecting, body);
  const { inputs } = source;
  return connection.keep({ inputs, outbound, bodyBytesMax: triggerLimits.webhookBytesMax, take, note }, signal);
}

/** Publishes a delivery as if it had arrived over HTTP. */
async function publish(
  { queue, metrics, outbound, logger }: SenderConnectionsOptions,
  { source, sender }: Connecting,
  body: string,
): Promise<void> {
  const id = sender.deliveryId({ headers: {}, body: Buffer.from(body) });
  const delivery = { id, headers: {}, body, receivedAt: outbound.clock() };
  try {
    await queue.publish(webhooksTopic, [queuedWebhook(source, delivery)]);
  } catch (error) {
    logger.warn({ err: error, source: source.id }, "couldn't queue what came over a connection");
    throw error;
  }
  metrics.webhooks.inc({ kind: source.kind, outcome: "accepted" });
}
