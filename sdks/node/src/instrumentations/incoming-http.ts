import type { IncomingRequest, RequestContext } from "../core/request-context.ts";
import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";
import { watchRequestEvents } from "./request-events.ts";

/**
 * Requests that servers of `node:http` and `https` receive, whatever framework serves them. `route` returns the pattern
 * of the route that a framework has left on a request.
 */
export function incomingHttp(route?: RequestContext["route"]): Instrumentation {
  return {
    name: "incoming-http",
    start(recorder) {
      let stopEvents: (() => void) | undefined;
      const resume = recorder.guard((request: object) => {
        const context = recorder.requests.of(request);
        const current = recorder.requests.current();
        // A job that runs as part of a request stays one.
        if (context && current !== context && (!current || current.incoming)) recorder.requests.enter(context);
      }, undefined);
      const enter = recorder.guard((message: object) => {
        const request: IncomingRequest = Reflect.get(message, "request");
        // Not earlier: a program without a server needs no node:http.
        stopEvents ??= watchRequestEvents(resume);
        recorder.requests.enter(recorder.requests.open(request, route));
      }, undefined);
      const stop = listen("http.server.request.start", enter);
      return () => {
        stop();
        stopEvents?.();
      };
    },
  };
}
