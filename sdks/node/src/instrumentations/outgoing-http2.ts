import type { OutgoingCall } from "../core/outgoing-call.ts";
import { attachment } from "../runtime/attachment.ts";
import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";

/** The headers of a request, including those that Node has added, and of a response. */
interface Http2Headers {
  readonly ":method"?: string;
  readonly ":scheme"?: string;
  readonly ":authority"?: string;
  readonly ":path"?: string;
  readonly ":status"?: number;
  readonly "grpc-status"?: string;
  readonly "grpc-message"?: string;
}

/** Records requests made with `node:http2`, including gRPC, on Node 22.17, 24.2, and newer, which publish them. */
export const outgoingHttp2: Instrumentation = {
  name: "outgoing-http2",
  start(recorder) {
    const calls = attachment<OutgoingCall>();
    const callOf = (message: object): OutgoingCall | undefined => calls.of(Reflect.get(message, "stream"));
    const created = (message: object): void => {
      const headers: Http2Headers = Reflect.get(message, "headers");
      calls.to(
        Reflect.get(message, "stream"),
        recorder.breadcrumbs.beginCall(headers[":method"] ?? "GET", urlOf(headers)),
      );
    };
    const answered = (message: object): void => {
      const headers: Http2Headers = Reflect.get(message, "headers");
      const call = callOf(message);
      call?.answered(headers[":status"] ?? 0);
      const error = grpcError(headers);
      if (error !== undefined) call?.failed({ message: error });
    };
    const failed = (message: object): void => callOf(message)?.failed(Reflect.get(message, "error"));
    const closed = (message: object): void => {
      const call = callOf(message);
      if (call && !call.isSettled) call.failed(undefined);
    };
    const stops = [
      listen("http2.client.stream.created", recorder.guard(created, undefined)),
      listen("http2.client.stream.finish", recorder.guard(answered, undefined)),
      listen("http2.client.stream.error", recorder.guard(failed, undefined)),
      listen("http2.client.stream.close", recorder.guard(closed, undefined)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  },
};

function urlOf(headers: Http2Headers): string {
  return `${headers[":scheme"] ?? "https"}://${headers[":authority"] ?? ""}${headers[":path"] ?? "/"}`;
}

/**
 * Returns the error of a gRPC call, which has the status 200 even if it fails. One that fails before its first message
 * says so in its headers.
 */
function grpcError({ "grpc-status": status, "grpc-message": message }: Http2Headers): string | undefined {
  if (status === undefined || status === "0") return undefined;
  return message === undefined ? `grpc-status ${status}` : `grpc-status ${status}: ${message}`;
}
