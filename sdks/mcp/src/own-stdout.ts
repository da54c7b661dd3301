import { Writable } from "node:stream";

/**
 * Takes standard output away from everybody else: one line of a dependency on it would break the protocol. What others
 * write there comes out on standard error. Imported first, and once, by the program.
 */
const writeToStdout = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

/** Standard output, for the protocol alone. */
export const protocolOutput: Writable = new Writable({
  decodeStrings: false,
  write: (chunk: string | Uint8Array, _encoding, done) => {
    writeToStdout(chunk, (error) => done(error));
  },
});
