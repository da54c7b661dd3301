import { homedir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { limits } from "@whence/protocol";
import type { ProveOptions } from "./prove-tool.ts";
import { createServer } from "./server.ts";

/** The largest valid call: every text at its limit, each byte escaped to two, and room for names. */
const messageBytesMax = 2 * (limits.errorLogBytesMax + limits.filesMax * limits.fileContentBytesMax) + 1_048_576;
/** Below the minute after which clients time a tool out. */
const waitSecondsMax = 50;

/** The environment variables of the program. */
export interface Environment {
  readonly WHENCE_URL?: string | undefined;
  readonly WHENCE_API_KEY?: string | undefined;
  readonly WHENCE_MCP_WAIT_SECONDS?: string | undefined;
  /** `on` adds the tools for incidents. */
  readonly WHENCE_MCP_INCIDENTS?: string | undefined;
  /** The command that the tool `prove` may run, in words: `npm test --`. Without it there is no such tool. */
  readonly WHENCE_MCP_PROVE?: string | undefined;
}

/** Serves over standard input and `output` until the input ends. */
export function serve(environment: Environment & Readonly<Record<string, string | undefined>>, output: Writable): void {
  const { WHENCE_URL, WHENCE_API_KEY } = environment;
  const options = {
    url: WHENCE_URL || undefined,
    apiKey: WHENCE_API_KEY || undefined,
    credentialsFolder: join(homedir(), ".whence"),
    waitMs: waitMs(environment.WHENCE_MCP_WAIT_SECONDS),
    readsIncidents: readsIncidents(environment),
    proves: provedCommand(environment),
  };
  const transport = new StdioServerTransport(process.stdin, output, { maxBufferSize: messageBytesMax });
  serveStdio(() => createServer(options), {
    transport,
    onerror: (error) => process.stderr.write(`whence-mcp: ${error.message}\n`),
  });
}

/** Returns whether the tools for incidents are asked for. Warns without a key: an agent's own incidents aren't worth a list. */
function readsIncidents({ WHENCE_MCP_INCIDENTS: asked, WHENCE_API_KEY: key }: Environment): boolean {
  if (asked === undefined || asked === "" || asked === "off") return false;
  if (asked !== "on") process.stderr.write(`whence-mcp: WHENCE_MCP_INCIDENTS is "${asked}", but must be on or off\n`);
  else if (!key) process.stderr.write("whence-mcp: WHENCE_MCP_INCIDENTS needs WHENCE_API_KEY\n");
  return asked === "on";
}

/** Returns undefined for the default. Warns about a value that isn't a number of seconds, and uses the default. */
function waitMs(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const seconds = Number(text);
  if (seconds >= 0 && seconds <= waitSecondsMax) return seconds * 1_000;
  process.stderr.write(`whence-mcp: WHENCE_MCP_WAIT_SECONDS is "${text}", but must be 0 to ${waitSecondsMax}\n`);
  return undefined;
}

/** Returns the command that may be run, split at spaces; undefined when none is. */
function provedCommand(environment: Environment & ProveOptions["environment"]): ProveOptions | undefined {
  const command = (environment.WHENCE_MCP_PROVE ?? "").split(/\s+/).filter((word) => word !== "");
  return command.length === 0 ? undefined : { command, environment };
}
