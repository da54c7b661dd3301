import type { Readable } from "node:stream";

/** The first chunks of a body, and whether they are all of it; if not, the stream is paused with the others. */
export interface Received {
  readonly chunks: readonly Buffer[];
  readonly isAll: boolean;
}

/** Receives a body until it ends, or more bytes have come than it may have. Rejects when the client goes away. */
export function receiveUpTo(bytesMax: number, body: Readable): Promise<Received> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = (): void => {
      body.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= bytesMax) return;
      body.pause();
      stop();
      resolve({ chunks, isAll: false });
    };
    const onEnd = (): void => {
      stop();
      resolve({ chunks, isAll: true });
    };
    const onError = (error: Error): void => {
      stop();
      reject(error);
    };
    const onClose = (): void => onError(new Error("the body ended early"));
    body.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
  });
}
