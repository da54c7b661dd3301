import { errorMonitor } from "node:events";
import type { ClientRequest } from "node:http";
import type { OutgoingCall } from "../core/outgoing-call.ts";
import { traceparentOf } from "../core/request-context.ts";
import { attachment } from "../runtime/attachment.ts";
import { listen } from "./channels.ts";
import type { Instrumentation, Recorder } from "./instrumentation.ts";
import { requestedUrl } from "./requested-url.ts";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
/**
 * Whether Node publishes `http.client.request.error` (nodejs/node#54054); otherwise, only the request's own events
 * report errors.
 */
const hasErrorChannel = major > 22 || (major === 22 && minor >= 7) || (major === 20 && minor >= 18);

/** Records requests made with `node:http` and `node:https`, by any code. */
export const outgoingHttp: Instrumentation = {
  name: "outgoing-http",
  start(recorder) {
    const calls = attachment<OutgoingCall>();
    const started = recorder.guard((message: object) => {
      const request: ClientRequest = Reflect.get(message, "request");
      if (recorder.sender.owns(request)) return;
      const call = recorder.breadcrumbs.beginCall(request.method, urlOf(request));
      calls.to(request, call);
      if (!hasErrorChannel)
        request.once(
          errorMonitor,
          recorder.guard((error: unknown) => call.failed(error), undefined),
        );
      if (!hasErrorChannel || changesProtocol(request)) {
        const closed = recorder.guard(() => settleClosed(request, call), undefined);
        request.once("close", closed);
      }
    }, undefined);
    const answered = recorder.guard((message: object) => {
      const response: { statusCode?: number } = Reflect.get(message, "response");
      calls.of(Reflect.get(message, "request"))?.answered(response.statusCode ?? 0);
    }, undefined);
    const failed = recorder.guard((message: object) => {
      calls.of(Reflect.get(message, "request"))?.failed(Reflect.get(message, "error"));
    }, undefined);
    const stops = [
      // Node 22.12 and newer: the last moment at which a header can be added without patching anything.
      listen(
        "http.client.request.created",
        recorder.guard((message: object) => propagate(recorder, message), undefined),
      ),
      listen("http.client.request.start", started),
      listen("http.client.response.finish", answered),
      ...(hasErrorChannel ? [listen("http.client.request.error", failed)] : []),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  },
};

function propagate(recorder: Recorder, message: object): void {
  const context = recorder.requests.current();
  const request: ClientRequest = Reflect.get(message, "request");
  if (!context || recorder.sender.owns(request) || request.headersSent || request.hasHeader("traceparent")) return;
  request.setHeader("traceparent", traceparentOf(context));
}

/** Whether the request changes the protocol, in which case Node publishes nothing about the response. */
function changesProtocol(request: ClientRequest): boolean {
  return request.method === "CONNECT" || request.hasHeader("upgrade");
}

function settleClosed(request: ClientRequest, call: OutgoingCall): void {
  if (call.isSettled) return;
  const response: { statusCode?: number } | null | undefined = Reflect.get(request, "res");
  if (response?.statusCode === undefined) call.failed(undefined);
  else call.answered(response.statusCode);
}

function urlOf(request: ClientRequest): string {
  // Newer versions of Node put the tunnel's destination, rather than the proxy, into the header of a CONNECT.
  const host = request.getHeader("host") ?? request.host;
  const server = host === request.path ? request.host : String(host);
  return requestedUrl(`${request.protocol}//${server}`, request.path);
}
