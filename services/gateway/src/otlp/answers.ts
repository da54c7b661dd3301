import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { z } from "zod";
import type { Encoding } from "./requests.ts";

/** The content type of each encoding. */
export const contentTypes: Readonly<Record<Encoding, string>> = {
  protobuf: "application/x-protobuf",
  json: "application/json",
};

/** Signals of OpenTelemetry, by the ends of their paths. */
export type Signal = "traces" | "logs" | "metrics";

/** Names of what is counted of a signal, in `partialSuccess`. */
const rejectedNames: Readonly<Record<Signal, string>> = {
  traces: "rejectedSpans",
  logs: "rejectedLogRecords",
  metrics: "rejectedDataPoints",
};

/** What wasn't taken of a request that was. */
export interface Rejected {
  readonly count: number;
  readonly reason: string;
}

/** Returns the body of an `Export…ServiceResponse`, which is empty unless something was rejected. */
export function exportResponse(signal: Signal, { count, reason }: Rejected, encoding: Encoding): string | Buffer {
  if (encoding === "json") {
    // JSON has 64 bits as a text.
    const partial = { partialSuccess: { [rejectedNames[signal]]: String(count), errorMessage: reason } };
    return JSON.stringify(count === 0 ? {} : partial);
  }
  const writer = new BinaryWriter();
  if (count > 0) {
    writer.tag(1, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.Varint).int64(count).tag(2, WireType.LengthDelimited).string(reason).join();
  }
  return Buffer.from(writer.finish());
}

/** The codes of `google.rpc.Status` for our statuses; `INTERNAL` for others. */
const statusCodes: ReadonlyMap<number, number> = new Map([
  [400, 3],
  [401, 16],
  [403, 7],
  [413, 8],
  [415, 3],
  [429, 8],
  [503, 14],
]);
const internal = 13;

const errorSchema = z.object({ detail: z.string(), code: z.string() });

/** Returns the body of an error, given in our own form, as a `google.rpc.Status`. */
export function errorResponse(status: number, error: string, encoding: Encoding): string | Buffer {
  const { detail, code } = errorSchema.parse(JSON.parse(error));
  const number = statusCodes.get(status) ?? internal;
  const message = `${detail} (${code})`;
  if (encoding === "json") return JSON.stringify({ code: number, message });
  const writer = new BinaryWriter().tag(1, WireType.Varint).int32(number);
  return Buffer.from(writer.tag(2, WireType.LengthDelimited).string(message).finish());
}
