import { attachment } from "../attachment.ts";
import type { Client } from "../client.ts";
import { hasOpenTelemetry } from "../open-telemetry.ts";
import { traceparentOf } from "../request-context.ts";
import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";
import type { OutgoingCall } from "./outgoing-call.ts";

/** The least that is needed of undici's request. */
interface UndiciRequest {
  readonly origin: string | URL;
  readonly path: string;
  readonly method: string;
  /** Names and values in turn; one text in the undici of Node 18. */
  readonly headers: string | readonly (string | readonly string[])[];
  addHeader(name: string, value: string): unknown;
}

/** Requests made by `fetch` and by undici. */
export const outgoingFetch: Instrumentation = {
  name: "outgoing-fetch",
  start(client) {
    const calls = attachment<OutgoingCall>();
    const callOf = (message: object): OutgoingCall | undefined => calls.of(Reflect.get(message, "request"));
    const created = client.guard((message: object) => {
      const request: UndiciRequest = Reflect.get(message, "request");
      calls.to(request, client.beginCall(request.method, `${request.origin}${request.path}`));
      propagate(client, request);
    }, undefined);
    const answered = client.guard((message: object) => {
      const response: { statusCode: number } = Reflect.get(message, "response");
      callOf(message)?.answered(response.statusCode);
    }, undefined);
    const failed = client.guard((message: object) => {
      callOf(message)?.failed(Reflect.get(message, "error"));
    }, undefined);
    const stops = [
      listen("undici:request:create", created),
      listen("undici:request:headers", answered),
      listen("undici:request:error", failed),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  },
};

function propagate(client: Client, request: UndiciRequest): void {
  const context = client.requests.current();
  // OpenTelemetry may add its own after this one, and a header added here can't be taken back.
  if (!context || hasOpenTelemetry() || hasTraceparent(request.headers)) return;
  request.addHeader("traceparent", traceparentOf(context));
}

function hasTraceparent(headers: UndiciRequest["headers"]): boolean {
  if (typeof headers === "string") return /^traceparent:/im.test(headers);
  return headers.some((item) => typeof item === "string" && item.toLowerCase() === "traceparent");
}
