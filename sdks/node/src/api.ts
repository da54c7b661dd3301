import type { BreadcrumbInput } from "./core/breadcrumb-recorder.ts";
import type { CaptureOptions } from "./core/create-event.ts";
import { currentClient, type RunningClient, setCurrentClient } from "./core/current-client.ts";
import type { FactScope } from "./core/fact-scope.ts";
import type { LevelName } from "./core/level.ts";
import type { LostEvents } from "./delivery/queue.ts";
import { isError } from "./runtime/is-error.ts";

/** The value of a tag, sent as text. */
export type TagValue = string | number | bigint | boolean | null | undefined;

/** The user that the program is working for. JSON values, trimmed to 4 kB. */
export interface User {
  readonly id?: string | number | undefined;
  readonly email?: string | undefined;
  readonly username?: string | undefined;
  readonly [field: string]: unknown;
}

/** The scope that the callback of {@link withScope} sets facts in. */
export interface Scope {
  setUser(user: User | null): void;
  setTag(key: string, value: TagValue): void;
  setTags(tags: Readonly<Record<string, TagValue>>): void;
  setContext(name: string, context: Readonly<Record<string, unknown>> | null): void;
}

const ignore = (): void => undefined;
const noScope: Scope = { setUser: ignore, setTag: ignore, setTags: ignore, setContext: ignore };

/**
 * Records an error, or any other thrown value, with its causes and what led to it. Returns the event's ID; undefined
 * when the client is off.
 */
export function captureException(error: unknown, options?: CaptureOptions | LevelName): string | undefined {
  return withClient((client) =>
    client.capture.exception(error, options ?? {}, isError(error) ? undefined : callerOf(captureException)),
  );
}

/**
 * Records a message; `error` and `critical` can open an incident. Returns the event's ID; undefined when the client is
 * off.
 */
export function captureMessage(message: string, options?: CaptureOptions | LevelName): string | undefined {
  return withClient((client) => client.capture.message(message, options ?? {}, callerOf(captureMessage)));
}

/**
 * Records something that happened. Each event carries the newest 100 breadcrumbs; those of a request stay with that
 * request.
 */
export function addBreadcrumb(breadcrumb: BreadcrumbInput): void {
  withClient((client) => client.breadcrumbs.add(breadcrumb));
}

/**
 * Sets the user that the running code works for, such as `{ id, email }`; null for no one. Inside a request or a job,
 * its later events carry it; elsewhere, those of the whole process.
 */
export function setUser(user: User | null): void {
  withClient((client) => client.scopes.current().setUser(user));
}

/** Sets a short fact in the same scope as {@link setUser}. `undefined` removes it. */
export function setTag(key: string, value: TagValue): void {
  withClient((client) => client.scopes.current().setTag(key, value));
}

/** Calls {@link setTag} for each entry. */
export function setTags(tags: Readonly<Record<string, TagValue>>): void {
  withClient((client) => client.scopes.current().setTags(tags));
}

/** Sets an object of facts in the same scope as {@link setUser}; null removes it. JSON values, trimmed to 4 kB. */
export function setContext(name: string, context: Readonly<Record<string, unknown>> | null): void {
  withClient((client) => client.scopes.current().setContext(name, context));
}

/**
 * Runs `callback`, and everything it starts, in a new scope that inherits the current facts; facts set inside don't
 * leave it. Returns what the callback returns, and throws what it throws.
 */
export function withScope<Result>(callback: (scope: Scope) => Result): Result {
  const client = currentClient();
  return client ? client.scopes.run((facts) => callback(guardedScope(client, facts))) : callback(noScope);
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

/** Returns an object whose `stack` begins where the program called `own`, without the calls of this package. */
function callerOf(own: CallableFunction): object {
  const place = {};
  Error.captureStackTrace(place, own);
  return place;
}

function guardedScope({ guard }: RunningClient, facts: FactScope): Scope {
  return {
    setUser: guard((user) => facts.setUser(user), undefined),
    setTag: guard((key, value) => facts.setTag(key, value), undefined),
    setTags: guard((tags) => facts.setTags(tags), undefined),
    setContext: guard((name, context) => facts.setContext(name, context), undefined),
  };
}

function withClient<Result>(run: (client: RunningClient) => Result): Result | undefined {
  const client = currentClient();
  return client?.guard<[], Result | undefined>(() => run(client), undefined)();
}
