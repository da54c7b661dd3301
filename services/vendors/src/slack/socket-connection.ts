import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { parseBoundedJson } from "../http/bounded-json.ts";
import { openGuardedSocket } from "../http/guarded-socket.ts";
import type { OutboundContext } from "../outbound-context.ts";
import { slackSocketLimits } from "./socket-limits.ts";
import { connectionSchema } from "./verify-app.ts";
import type { SlackWebApi } from "./web-api.ts";

const eventSchema = z.record(z.string(), z.unknown());
/** The payload that Slack would otherwise send as the body of an HTTP request. */
export type SocketEvent = z.infer<typeof eventSchema>;

/** Messages from Slack. https://docs.slack.dev/apis/events-api/using-socket-mode */
const messageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello") }),
  z.object({ type: z.literal("disconnect"), reason: z.string().catch("unknown") }),
  z.object({ type: z.enum(["events_api", "interactive"]), envelope_id: z.string(), payload: eventSchema }),
]);

interface SocketConnectionOptions {
  readonly outbound: OutboundContext;
  readonly messageBytesMax: number;
  /** Slack is ready to send events. */
  readonly onHello: () => void;
  /** Takes an event, which is acknowledged once this resolves; if it rejects, Slack sends the event again. */
  readonly onEvent: (event: SocketEvent) => Promise<void>;
  readonly signal: AbortSignal;
}

/** A Socket Mode connection. */
export interface SocketConnection {
  /**
   * Resolves with the reason why another connection is needed: Slack asked for one, this one was closed, or the signal
   * fired.
   */
  readonly ending: Promise<string>;
  readonly closed: Promise<void>;
  close(): void;
}

/**
 * Opens a Socket Mode connection. After Slack asks for another one, it keeps delivering events until Slack closes it.
 * Rejects with a `VendorFailure`, or an `AddressRefused`.
 */
export async function openSocketConnection(
  api: SlackWebApi,
  { outbound, messageBytesMax, onHello, onEvent, signal }: SocketConnectionOptions,
): Promise<SocketConnection> {
  const { body } = await api.call("apps.connections.open", { json: {}, schema: connectionSchema }, signal);
  const ending = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<void>();
  const stop = (): void => ending.resolve("stopping");
  const take = async (text: string): Promise<void> => {
    const { data: message } = messageSchema.safeParse(parseBoundedJson(text));
    if (message?.type === "hello") onHello();
    if (message?.type === "disconnect") ending.resolve(message.reason);
    if (message === undefined || !("payload" in message) || signal.aborted) return;
    await onEvent(message.payload);
    socket.send(JSON.stringify({ envelope_id: message.envelope_id }));
  };
  const socket = await openGuardedSocket(vendorAddress(body.url, outbound), {
    mayReach: outbound.mayReach,
    pingEveryMs: slackSocketLimits.pingEveryMs,
    messageBytesMax,
    // An event that couldn't be taken isn't acknowledged.
    onText: (text) => void take(text).catch(() => undefined),
    onClosed: () => {
      signal.removeEventListener("abort", stop);
      ending.resolve("closed");
      closed.resolve();
    },
  });
  signal.addEventListener("abort", stop, { once: true });
  return { ending: ending.promise, closed: closed.promise, close: () => socket.close() };
}
