import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import { GatheredBytes } from "./gathered-bytes.ts";

/** The first bytes of a body, and whether they are all of it; if not, the stream is paused with the others. */
export interface Received {
  readonly bytes: Buffer;
  readonly isAll: boolean;
}

/** Receives a body until it ends, or more bytes have come than it may have. Rejects when the client goes away. */
export function receiveUpTo(bytesMax: number, body: Readable): Promise<Received> {
  return new Promise((resolve, reject) => {
    const gathered = new GatheredBytes(Number.POSITIVE_INFINITY);
    const stop = (): void => {
      body.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
    };
    const onData = (chunk: Buffer): void => {
      gathered.add(chunk);
      if (gathered.bytes <= bytesMax) return;
      body.pause();
      stop();
      resolve({ bytes: gathered.taken(), isAll: false });
    };
    const onEnd = (): void => {
      stop();
      resolve({ bytes: gathered.taken(), isAll: true });
    };
    const onError = (error: Error): void => {
      stop();
      reject(error);
    };
    const onClose = (): void => onError(new Error("the body ended early"));
    body.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
  });
}

/** Receives the body of a request whole, or rejects with `WHENCE_ERR_BATCH_TOO_LARGE` when its route takes less. */
export async function receiveWhole({ headers, routeOptions }: FastifyRequest, body: Readable): Promise<Buffer> {
  const { bodyLimit } = routeOptions;
  const isAnnounced = Number(headers["content-length"] ?? 0) > bodyLimit;
  const received = isAnnounced ? undefined : await receiveUpTo(bodyLimit, body);
  if (received?.isAll) return received.bytes;
  body.resume();
  throw gatewayErrors.create("WHENCE_ERR_BATCH_TOO_LARGE", [bodyLimit, "on the wire"]);
}
