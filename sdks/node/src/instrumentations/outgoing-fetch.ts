import { hasOpenTelemetry } from "../core/open-telemetry.ts";
import type { OutgoingCall } from "../core/outgoing-call.ts";
import { type RequestContext, traceparentOf } from "../core/request-context.ts";
import { attachment } from "../runtime/attachment.ts";
import { readProperty } from "../runtime/read-property.ts";
import { listen } from "./channels.ts";
import type { Instrumentation, Recorder } from "./instrumentation.ts";
import { OpeningWebSockets } from "./opening-web-sockets.ts";
import { requestedUrl } from "./requested-url.ts";

/** The part of undici's request that is used. */
interface UndiciRequest {
  readonly origin: string | URL;
  readonly path: string;
  readonly method: string;
  /** The protocol that the connection will change to. */
  readonly upgrade?: string | null;
  /** Names and values, alternating; one string in the undici of Node 18. */
  readonly headers: string | readonly (string | readonly string[])[];
  addHeader(name: string, value: string): unknown;
}

interface SentCall {
  readonly call: OutgoingCall;
  /** The request that caused it. */
  readonly context: RequestContext | undefined;
}

/** The lowest status of responses that interceptors send again: redirects and retried failures. */
const sentAgainFrom = 300;

/** Records requests made by `fetch`, by undici, and by its `WebSocket`, which is Node's. */
export const outgoingFetch: Instrumentation = {
  name: "outgoing-fetch",
  start(recorder) {
    const sentCalls = attachment<SentCall>();
    const sentCallOf = (message: object): SentCall | undefined => sentCalls.of(Reflect.get(message, "request"));
    const webSockets = new OpeningWebSockets();
    const created = recorder.guard((message: object) => {
      const request: UndiciRequest = Reflect.get(message, "request");
      // A tunnel through a proxy: undici doesn't publish when it is open, and the requests inside are recorded anyway.
      if (request.method === "CONNECT") return;
      const call = recorder.breadcrumbs.beginCall(request.method, requestedUrl(String(request.origin), request.path));
      sentCalls.to(request, { call, context: recorder.requests.current() });
      propagate(recorder, request);
    }, undefined);
    const sent = recorder.guard((message: object) => {
      const request: UndiciRequest = Reflect.get(message, "request");
      const socket: { readonly localPort?: number } = Reflect.get(message, "socket");
      const call = sentCallOf(message)?.call;
      if (request.upgrade === "websocket" && call) webSockets.add(socket.localPort, call);
    }, undefined);
    const opened = recorder.guard((message: object) => {
      const address: { readonly port?: number } = Reflect.get(message, "address");
      webSockets.opened(address.port);
    }, undefined);
    const answered = recorder.guard((message: object) => {
      const response: { statusCode: number } = Reflect.get(message, "response");
      const sentCall = sentCallOf(message);
      webSockets.remove(sentCall?.call);
      sentCall?.call.answered(response.statusCode);
      if (response.statusCode >= sentAgainFrom) resume(recorder, sentCall);
    }, undefined);
    const failed = recorder.guard((message: object) => {
      const sentCall = sentCallOf(message);
      const error: unknown = Reflect.get(message, "error");
      webSockets.remove(sentCall?.call);
      sentCall?.call.failed(error);
      if (isFailureOfConnection(error)) resume(recorder, sentCall);
    }, undefined);
    const stops = [
      listen("undici:request:create", created),
      listen("undici:client:sendHeaders", sent),
      listen("undici:request:headers", answered),
      listen("undici:request:error", failed),
      listen("undici:websocket:open", opened),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  },
};

/**
 * undici's interceptors, such as `retry` and `redirect`, resend a request in the context in which the connection was
 * opened, which may belong to any other request.
 */
function resume(recorder: Recorder, sentCall: SentCall | undefined): void {
  if (sentCall?.context) recorder.requests.enter(sentCall.context);
}

/** Excludes aborts by the program itself, after which its own code runs, possibly for another request. */
function isFailureOfConnection(error: unknown): boolean {
  return readProperty(error, "syscall") !== undefined || readProperty(error, "code") === "UND_ERR_SOCKET";
}

function propagate(recorder: Recorder, request: UndiciRequest): void {
  const context = recorder.requests.current();
  // OpenTelemetry may add its own after this one, and a header added here can't be removed.
  if (!context || hasOpenTelemetry() || hasTraceparent(request.headers)) return;
  request.addHeader("traceparent", traceparentOf(context));
}

function hasTraceparent(headers: UndiciRequest["headers"]): boolean {
  if (typeof headers === "string") return /^traceparent:/im.test(headers);
  return headers.some((item) => typeof item === "string" && item.toLowerCase() === "traceparent");
}
