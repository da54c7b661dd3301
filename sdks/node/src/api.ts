import type { BreadcrumbInput } from "./core/breadcrumb-recorder.ts";
import type { CaptureOptions } from "./core/create-event.ts";
import { currentClient, type RunningClient, setCurrentClient } from "./core/current-client.ts";
import type { LostEvents } from "./delivery/queue.ts";

/**
 * Records an error, or any other thrown value, with its causes and what led to it. Returns the event's ID; undefined
 * when the client is off.
 */
export function captureException(error: unknown, options?: CaptureOptions): string | undefined {
  return withClient((client) => client.capture.exception(error, options ?? {}));
}

/**
 * Records a message; `error` and `critical` can open an incident. Returns the event's ID; undefined when the client is
 * off.
 */
export function captureMessage(message: string, options?: CaptureOptions): string | undefined {
  return withClient((client) => client.capture.message(message, options ?? {}));
}

/** Records something that happened. Each event carries the newest 100; those of a request stay with that request. */
export function addBreadcrumb(breadcrumb: BreadcrumbInput): void {
  withClient((client) => client.breadcrumbs.add(breadcrumb));
}

/**
 * Sends queued events now instead of within five seconds. Resolves to true if everything captured since the last flush
 * arrived within `timeoutMs` (10 seconds by default), or the client is off; to false if anything is missing, even if it
 * was dropped earlier: see {@link lostEvents}. Never rejects.
 */
export async function flush(timeoutMs?: number): Promise<boolean> {
  return (await withClient((client) => client.delivery.flush(timeoutMs))) ?? true;
}

/** Returns how many events this process has dropped, by reason: `{ queue_full: 1296 }`. Empty when none was lost. */
export function lostEvents(): LostEvents {
  return withClient((client) => client.delivery.lost) ?? {};
}

/** Flushes like {@link flush}, and stops the client. Never rejects. */
export async function close(timeoutMs?: number): Promise<boolean> {
  const client = currentClient();
  setCurrentClient(undefined);
  return (await client?.guard(() => client.close(timeoutMs), Promise.resolve(false))()) ?? true;
}

function withClient<Result>(run: (client: RunningClient) => Result): Result | undefined {
  const client = currentClient();
  return client?.guard<[], Result | undefined>(() => run(client), undefined)();
}
