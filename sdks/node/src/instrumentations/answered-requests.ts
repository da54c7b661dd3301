import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";

/** Counts and releases the requests that servers of `node:http` and `https` have answered, whatever the framework. */
export const answeredRequests: Instrumentation = {
  name: "answered-requests",
  start(recorder) {
    const count = recorder.guard((message: object) => {
      const response: { readonly statusCode: number } = Reflect.get(message, "response");
      recorder.responses.add(response.statusCode);
      recorder.requests.answered(Reflect.get(message, "request"), Reflect.get(message, "socket"));
    }, undefined);
    return listen("http.server.response.finish", count);
  },
};
