import { currentClient, type RunningClient } from "../../core/current-client.ts";
import type { RequestContext } from "../../core/request-context.ts";
import { attachment } from "../../runtime/attachment.ts";
import { isObject } from "../../runtime/is-object.ts";
import { readProperty } from "../../runtime/read-property.ts";

/** The request that put a piece of work into a queue, if one did. */
export interface Origin {
  readonly context: RequestContext | undefined;
}

/** Where the changed sources of queues and pools find {@link waitingWork}. */
export const waitingWorkName = "@whence/node waiting work";

const origins = attachment<Origin | undefined>();

/**
 * What the changed sources of queues and pools call around the work that waits in them: it runs as part of the request
 * that it is for, rather than of the one that made room for it. Work from elsewhere runs as part of none. Nothing here
 * throws, and nothing is on the stack while the work runs.
 */
export const waitingWork = {
  /** What {@link waitingWork.back} needs to go back to the running code. */
  here(): Origin {
    return { context: currentClient()?.requests.current() };
  },
  /** Work begins to wait. */
  hold(work: unknown): void {
    withClient((client) => note(work, { context: client.requests.current() }));
  },
  /** Work begins to wait that may be moved within its queue later, by another request. */
  holdFirst(work: unknown): void {
    if (isObject(work) && !origins.of(work)) waitingWork.hold(work);
  },
  /** A function begins to wait. Returns one that is the same but for its identity: a program may pass one several times. */
  held(work: unknown): unknown {
    if (typeof work !== "function" || origins.of(work)) return work;
    const own: unknown = work.bind(undefined);
    waitingWork.hold(own);
    return own;
  },
  /** A connection works for what `client` has next, or for nothing. */
  carry(connection: unknown, client: unknown): void {
    // The public property is deprecated where there is another one.
    const name = readProperty(client, "_activeQuery") === undefined ? "activeQuery" : "_activeQuery";
    const query = Object.hasOwn(Object(client), name) ? readProperty(client, name) : undefined;
    withClient(() => note(connection, isObject(query) ? origins.of(query) : undefined));
  },
  /** Work begins to run. Returns what {@link waitingWork.back} needs to go back to the code that made room for it. */
  take(work: unknown): Origin {
    const before = waitingWork.here();
    waitingWork.back(isObject(work) ? origins.of(work) : undefined);
    return before;
  },
  /** The call that ran the work returns. After one that throws, the error is still that of the work's request. */
  back(origin: Origin | undefined): void {
    withClient(({ requests }) => {
      if (requests.current() !== origin?.context) requests.enter(origin?.context);
    });
  },
};

/** Makes it available to the changed sources. */
export function followWaitingWork(): void {
  const place = Symbol.for(waitingWorkName);
  Object.defineProperty(globalThis, place, { value: waitingWork, configurable: true, writable: true });
}

function note(work: unknown, origin: Origin | undefined): void {
  if (isObject(work)) origins.to(work, origin);
}

function withClient(run: (client: RunningClient) => void): void {
  const client = currentClient();
  client?.guard(() => run(client), undefined)();
}
