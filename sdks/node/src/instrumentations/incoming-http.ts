import type { IncomingRequest } from "../core/request-context.ts";
import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";

/**
 * Requests that servers of `node:http` and `https` take in, whatever answers them. For programs whose framework starts
 * its server by itself; where the program can wrap what serves a request, that reaches further: what reads a body by
 * events loses this one from Node 24 on.
 */
export const incomingHttp: Instrumentation = {
  name: "incoming-http",
  start(recorder) {
    const enter = recorder.guard((message: object) => {
      const request: IncomingRequest = Reflect.get(message, "request");
      recorder.requests.enter(recorder.requests.open(request));
    }, undefined);
    return listen("http.server.request.start", enter);
  },
};
