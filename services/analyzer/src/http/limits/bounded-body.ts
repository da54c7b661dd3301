import { type Readable, Transform } from "node:stream";

interface Bounds {
  /** The most bytes to pass on. */
  readonly bytesMax: number;
  /** The most bytes to read at all. */
  readonly discardedMax: number;
}

/**
 * Passes a body on, and fails with `tooLarge` when it is longer than `bytesMax`, whatever its headers say. First, up to
 * `discardedMax` bytes are read and discarded: a client that is refused while still sending seldom sees the answer.
 */
export function boundedBody(body: Readable, { bytesMax, discardedMax }: Bounds, tooLarge: () => Error): Readable {
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > discardedMax) done(tooLarge());
      else done(null, bytes > bytesMax ? undefined : chunk);
    },
    flush(done) {
      done(bytes > bytesMax ? tooLarge() : null);
    },
  });
  // Not `pipeline`: it would close the connection before the refusal is sent.
  body.once("error", (error) => bounded.destroy(error));
  return body.pipe(bounded);
}
