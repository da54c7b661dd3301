import { currentClient } from "../core/current-client.ts";
import type { IncomingRequest, RequestContext } from "../core/request-context.ts";

/** Runs `serve`, and everything it starts, as part of serving this request. Returns and throws what it does. */
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

/** Makes what the running code does next part of serving this request, if the request is known. */
export function resumeRequest(incoming: IncomingRequest): void {
  const client = currentClient();
  client?.guard(() => {
    const context = client.requests.of(incoming);
    if (context) client.requests.enter(context);
  }, undefined)();
}
