import { currentClient, type RunningClient } from "../../core/current-client.ts";
import type { RequestContext } from "../../core/request-context.ts";
import { attachment } from "../../runtime/attachment.ts";
import { isObject } from "../../runtime/is-object.ts";
import { readProperty } from "../../runtime/read-property.ts";

/** The request that queued a piece of work, if any. */
export interface Origin {
  readonly context: RequestContext | undefined;
}

/** The name under which the changed sources of queues and pools find {@link waitingWork}. */
export const waitingWorkName = "@whence/node waiting work";

const origins = attachment<Origin | undefined>();

/**
 * The functions that the changed sources of queues and pools call around waiting work, so that it runs as part of the
 * request it is for, rather than the one that made room for it. Work from outside of any request runs as part of none.
 * None of them throws, and none is on the stack while the work runs.
 */
export const waitingWork = {
  /** Returns the value with which {@link waitingWork.back} returns to the running code. */
  here(): Origin {
    return { context: currentClient()?.requests.current() };
  },
  /** Called when work starts to wait. */
  hold(work: unknown): void {
    withClient((client) => note(work, { context: client.requests.current() }));
  },
  /** Called when work starts to wait that another request may move within its queue later. */
  holdFirst(work: unknown): void {
    if (isObject(work) && !origins.of(work)) waitingWork.hold(work);
  },
  /**
   * Called when a function starts to wait. Returns an equivalent function, since a program may pass one several times.
   */
  held(work: unknown): unknown {
    if (typeof work !== "function" || origins.of(work)) return work;
    const own: unknown = work.bind(undefined);
    waitingWork.hold(own);
    return own;
  },
  /** Called when a connection starts on `client`'s next work, or on nothing. */
  carry(connection: unknown, client: unknown): void {
    // The public property is deprecated where there is another one.
    const name = readProperty(client, "_activeQuery") === undefined ? "activeQuery" : "_activeQuery";
    const query = Object.hasOwn(Object(client), name) ? readProperty(client, name) : undefined;
    withClient(() => note(connection, isObject(query) ? origins.of(query) : undefined));
  },
  /**
   * Called when work starts to run. Returns the value with which {@link waitingWork.back} returns to the code that made
   * room for it.
   */
  take(work: unknown): Origin {
    const before = waitingWork.here();
    waitingWork.back(isObject(work) ? origins.of(work) : undefined);
    return before;
  },
  /** Called when the call that ran the work returns. If it throws, the error remains that of the work's request. */
  back(origin: Origin | undefined): void {
    withClient(({ requests }) => {
      if (requests.current() !== origin?.context) requests.enter(origin?.context);
    });
  },
};

/** Makes {@link waitingWork} available to the changed sources. */
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
