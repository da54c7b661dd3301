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
 * Asks a pull consumer once, on an inbox of its own. The library's `fetch` does not cancel its request when it is
 * stopped, so the server keeps delivering messages that are lost until the request expires.
 */
export async function pull(connection: NatsConnection, request: PullRequest): Promise<Pulled> {
  const { stream, consumer, batch, waitMs, maxBytes, cancel } = request;
  const { promise: ended, resolve: end } = Promise.withResolvers<{ answered: boolean }>();
  const messages: Msg[] = [];
  let expected = batch;
  const inbox = createInbox();
  const subscription = connection.subscribe(inbox, {
    callback: (_, message) => {
      const status = readStatus(message);
      if (status === null) messages.push(message);
      else if (!status.ordinary) return end({ answered: false });
      else expected = batch - (status.unsent ?? batch);
      if (messages.length >= expected) end({ answered: true });
    },
  });
  const limits = waitMs > 0 ? { expires: nanos(Math.ceil(waitMs)) } : { no_wait: true };
  const sentAt = performance.now();
  const question = JSON.stringify({ batch, max_bytes: maxBytes, ...limits });
  connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, question, { reply: inbox });

  // Draining takes the interest away, which ends the request at the server, and waits for what had left it.
  const drained = (): void => end({ answered: true });
  const stop = (): void => void subscription.drain().then(drained, drained);
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

interface Status {
  /** No messages (404), the time is over (408), no more bytes (409, among other things). */
  readonly ordinary: boolean;
  /**
   * How many of the batch do not come; null: none comes. All others do, though the status may be ahead of them: a
   * replicated consumer sends a message once its servers have agreed on it, and some statuses at once (seen on 2.12).
   */
  readonly unsent: number | null;
}

/** Null for a message. */
function readStatus({ headers }: Msg): Status | null {
  if (!headers || headers.code === 0) return null;
  const { code, description } = headers;
  const unsent = headers.get("Nats-Pending-Messages");
  const ordinary = code === 404 || code === 408 || (code === 409 && /maxbytes|completed/i.test(description));
  return { ordinary, unsent: unsent === "" ? null : Number(unsent) };
}
