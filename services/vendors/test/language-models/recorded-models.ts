import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

/** Returns the text of a provider's recorded answer. */
export function recordedModel(file: string): string {
  return readFileSync(join(import.meta.dirname, "recorded", file), "utf8");
}

/** Returns a recorded stream as server-sent events. */
export function serverSentEvents(file: string): string {
  const events = linesOf(file).map((line) => {
    const type = /^\{"type":"(?<type>[^"]+)"/.exec(line)?.groups?.type;
    return `${type === undefined ? "" : `event: ${type}\n`}data: ${line}\n\n`;
  });
  return `${events.join("")}data: [DONE]\n\n`;
}

/**
 * Returns a recorded stream in AWS's format of events:
 * https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html#streaming-event-stream.
 */
export function awsEvents(file: string): Buffer {
  return Buffer.concat(
    linesOf(file).map((line) => {
      const event: Record<string, unknown> = JSON.parse(line);
      const [type = ""] = Object.keys(event);
      return awsEvent(type, JSON.stringify(event[type]));
    }),
  );
}

function linesOf(file: string): readonly string[] {
  return recordedModel(file).trim().split("\n");
}

function awsEvent(type: string, payload: string): Buffer {
  const headers = Buffer.concat([header(":message-type", "event"), header(":event-type", type)]);
  const body = Buffer.from(payload);
  const [preludeBytes, checksumBytes] = [12, 4];
  const prelude = Buffer.alloc(preludeBytes);
  prelude.writeUInt32BE(preludeBytes + headers.length + body.length + checksumBytes, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, headers, body]);
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32BE(crc32(message));
  return Buffer.concat([message, checksum]);
}

function header(name: string, value: string): Buffer {
  const stringType = 7;
  const length = Buffer.alloc(2);
  length.writeUInt16BE(value.length);
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([stringType]),
    length,
    Buffer.from(value),
  ]);
}
