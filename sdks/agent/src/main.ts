#!/usr/bin/env node
import { homedir } from "node:os";
import { runCommandLine } from "./command-line.ts";
import type { Output, Surroundings } from "./commands/command.ts";
import { styleFor } from "./terminal/style.ts";

const defaultColumns = 100;
/** The signals that ask a program to end, and its exit code then: 128 plus the signal's number, as in shells. */
const endingCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs the `whence` command in this process. Sets the exit code instead of exiting, so that output is flushed. */
async function main(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: this is the file of the program that reads the environment
  const variables = process.env;
  const { WHENCE_URL, WHENCE_API_KEY, NO_COLOR, TERM } = variables;
  const hasColors = !NO_COLOR && TERM !== "dumb";
  const leaving = new AbortController();
  for (const [signal, code] of Object.entries(endingCodes))
    process.once(signal, () => {
      process.exitCode = code;
      leaving.abort();
    });
  const surroundings: Surroundings = {
    cwd: process.cwd(),
    home: homedir(),
    environment: { url: WHENCE_URL || undefined, apiKey: WHENCE_API_KEY || undefined, variables },
    stdin: { isTerminal: process.stdin.isTTY === true, read: readStdin },
    stdout: output(process.stdout, hasColors),
    stderr: output(process.stderr, hasColors),
    signal: leaving.signal,
  };
  const code = await runCommandLine(process.argv.slice(2), surroundings);
  process.exitCode ??= code;
}

function output(stream: NodeJS.WriteStream, wantsColors: boolean): Output {
  const isTerminal = stream.isTTY === true;
  // A reader that closed the pipe (`| head`) has what it wanted.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return {
    isTerminal,
    // A terminal of unknown size has 0 columns.
    columns: stream.columns || defaultColumns,
    style: styleFor(isTerminal && wantsColors),
    write: (text) => {
      stream.write(text);
    },
  };
}

/** Reads standard input to its end, or until it is too long by a chunk. */
async function readStdin(bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const part = Buffer.from(chunk);
    chunks.push(part);
    bytes += part.byteLength;
    if (bytes > bytesMax) break;
  }
  return Buffer.concat(chunks);
}

await main();
