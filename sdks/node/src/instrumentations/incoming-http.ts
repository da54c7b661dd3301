import type { IncomingRequest } from "../core/request-context.ts";
import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";

/**
 * Requests that servers of `node:http` and `https` receive. For programs whose framework starts the server; wrapping
 * the request listener covers more where a program can do that: on Node 24 and newer, code that reads a body through
 * events loses this context.
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
