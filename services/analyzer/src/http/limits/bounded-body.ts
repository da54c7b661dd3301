import { type Readable, Transform } from "node:stream";

interface Bounds {
  /** Bytes that are passed on. */
  readonly bytesMax: number;
  /** Bytes that are read at all. */
  readonly discardedMax: number;
}

/**
 * Passes a body on and fails with `tooLarge` when it has more bytes than it may, whatever its headers say. The rest is
 * read and thrown away first, within bounds: who is refused while still sending seldom gets to see the answer.
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
  // Not `pipeline`: it would end the connection, over which the refusal has yet to go.
  body.once("error", (error) => bounded.destroy(error));
  return body.pipe(bounded);
}
