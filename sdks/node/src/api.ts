import type { BreadcrumbInput } from "./core/breadcrumb-recorder.ts";
import type { CaptureOptions } from "./core/create-event.ts";
import { currentClient, type RunningClient, setCurrentClient } from "./core/current-client.ts";
import type { LostEvents } from "./delivery/queue.ts";

/**
 * Records an error, with its causes and what led to it. Anything may be given, as anything may be thrown. Returns the
 * event's id; undefined when the client is off.
 */
export function captureException(error: unknown, options?: CaptureOptions): string | undefined {
  return withClient((client) => client.capture.exception(error, options ?? {}));
}

/** Records a message. Those of level `error` and `critical` may open an incident. Returns the event's id. */
export function captureMessage(message: string, options?: CaptureOptions): string | undefined {
  return withClient((client) => client.capture.message(message, options ?? {}));
}

/** Remembers something that happened; the newest 100 go with each event. Inside a request they stay with it. */
export function addBreadcrumb(breadcrumb: BreadcrumbInput): void {
  withClient((client) => client.breadcrumbs.add(breadcrumb));
}

/**
 * Sends what waits now instead of within five seconds. True when all that was captured since the last flush arrived
 * within `timeoutMs` (10 seconds by default). False when not, also when some of it had been given up before:
 * {@link lostEvents} says how much and why. True at once when the client is off. Never rejects.
 */
export async function flush(timeoutMs?: number): Promise<boolean> {
  return (await withClient((client) => client.delivery.flush(timeoutMs))) ?? true;
}

/** How many events this process has given up, by reason: `{ queue_full: 1296 }`. Empty when none was lost. */
export function lostEvents(): LostEvents {
  return withClient((client) => client.delivery.lost) ?? {};
}

/** {@link flush}, then stops the client: nothing is watched any more. Never rejects. */
export async function close(timeoutMs?: number): Promise<boolean> {
  const client = currentClient();
  setCurrentClient(undefined);
  return (await client?.guard(() => client.close(timeoutMs), Promise.resolve(false))()) ?? true;
}

function withClient<Result>(run: (client: RunningClient) => Result): Result | undefined {
  const client = currentClient();
  return client?.guard<[], Result | undefined>(() => run(client), undefined)();
}
