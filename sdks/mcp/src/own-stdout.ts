import { Writable } from "node:stream";

/**
 * Reserves standard output for the protocol, which a line printed by a dependency would break. Other output goes to
 * standard error. Import it first, and only once.
 */
const writeToStdout = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

/** Standard output, reserved for the protocol. */
export const protocolOutput: Writable = new Writable({
  decodeStrings: false,
  write: (chunk: string | Uint8Array, _encoding, done) => {
    writeToStdout(chunk, (error) => done(error));
  },
});
