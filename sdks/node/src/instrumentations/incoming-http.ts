import type { IncomingRequest, RequestContext } from "../core/request-context.ts";
import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";

/**
 * Tracks the requests that servers of `node:http` and `https` receive, whatever the framework. `route` returns the
 * pattern of the route that a framework has left on a request.
 */
export function incomingHttp(route?: RequestContext["route"]): Instrumentation {
  return {
    name: "incoming-http",
    start(recorder) {
      const enter = recorder.guard((message: object) => {
        const request: IncomingRequest = Reflect.get(message, "request");
        recorder.requestEvents.follow(request);
        recorder.requests.enter(recorder.requests.open(request, route));
      }, undefined);
      return listen("http.server.request.start", enter);
    },
  };
}
