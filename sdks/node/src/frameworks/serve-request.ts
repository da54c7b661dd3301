import { currentClient } from "../core/current-client.ts";
import type { IncomingRequest, RequestContext } from "../core/request-context.ts";

/** Runs `serve`, and all that it starts, as part of serving this request. What it returns or throws passes. */
export function serveRequest<Result>(
  incoming: IncomingRequest,
  route: RequestContext["route"],
  serve: () => Result,
): Result {
  const client = currentClient();
  if (!client) return serve();
  client.requestEvents.follow(incoming);
  return client.requests.serve(incoming, route, serve);
}

/** Has whatever the running code goes on to do be part of serving this request, if it was seen before. */
export function resumeRequest(incoming: IncomingRequest): void {
  const client = currentClient();
  client?.guard(() => {
    const context = client.requests.of(incoming);
    if (context) client.requests.enter(context);
  }, undefined)();
}
