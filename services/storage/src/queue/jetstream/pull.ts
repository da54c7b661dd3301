import { createInbox, type Msg, type NatsConnection, nanos } from "@nats-io/transport-node";

/** How much later than asked for an answer may come. */
const graceMs = 1_000;

export interface PullRequest {
  readonly stream: string;
  readonly consumer: string;
  readonly batch: number;
  /** 0: what is there now. */
  readonly waitMs: number;
  readonly maxBytes: number;
  /** Any of them ends it. What is on its way by then still comes. */
  readonly cancel: readonly AbortSignal[];
}

export interface Pulled {
  readonly messages: readonly Msg[];
  /** By the monotonic clock: when the last of them can have left the server at the latest. */
  readonly heldFrom: number;
  /** Whether the consumer answered. If not, it may be gone, or be without a leader. */
  readonly answered: boolean;
}

/**
 * Asks a pull consumer once, on an inbox of its own. The library's `fetch` does not give back what it had asked for
 * when it is stopped: the server goes on delivering to nobody until the request expires.
 */
export async function pull(connection: NatsConnection, request: PullRequest): Promise<Pulled> {
  const { stream, consumer, batch, waitMs, maxBytes, cancel } = request;
  const { promise: ended, resolve: end } = Promise.withResolvers<{ answered: boolean }>();
  const messages: Msg[] = [];
  const inbox = createInbox();
  const subscription = connection.subscribe(inbox, {
    callback: (_, message) => {
      const status = message.headers?.code ?? 0;
      if (status !== 0) end({ answered: isOrdinaryEnd(status, message.headers?.description ?? "") });
      else if (messages.push(message) === batch) end({ answered: true });
    },
  });
  const limits = waitMs > 0 ? { expires: nanos(Math.ceil(waitMs)) } : { no_wait: true };
  const sentAt = performance.now();
  const question = JSON.stringify({ batch, max_bytes: maxBytes, ...limits });
  connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, question, { reply: inbox });

  // Draining takes the interest away, which ends the request at the server, and waits for what had left it.
  const stop = (): void => void subscription.drain().finally(() => end({ answered: true }));
  const timer = setTimeout(() => end({ answered: false }), waitMs + graceMs);
  for (const signal of cancel) signal.addEventListener("abort", stop);
  if (cancel.some(({ aborted }) => aborted)) stop();
  const { answered } = await ended;
  clearTimeout(timer);
  for (const signal of cancel) signal.removeEventListener("abort", stop);
  if (!subscription.isDraining()) subscription.unsubscribe();
  // A process that was stopped meanwhile finds old messages in its socket: they are not held from now on.
  return { messages, heldFrom: Math.min(performance.now(), sentAt + waitMs), answered };
}

/** No messages (404), the time is over (408), the next one does not fit (409, among other things). */
function isOrdinaryEnd(status: number, description: string): boolean {
  return status === 404 || status === 408 || (status === 409 && /maxbytes|completed/i.test(description));
}
