import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { defaultServiceUrl, serviceAddress } from "../service-address.ts";
import { type Command, exitCodes } from "./command.ts";

const mcpPackage = "@whence/mcp";
/** The path at which a service serves the package. */
const mcpTarball = "/sdk/mcp.tgz";

/** `whence mcp`: runs the MCP server, a separate package because it needs a newer Node and the MCP SDK. */
export const mcp: Command = {
  name: "mcp",
  summary: "run the MCP server over stdio, for an IDE or an agent",
  operands: "",
  options: {},
  details: `Runs ${mcpPackage}: the one that is installed beside this package, otherwise the one that the service serves.
Its tool is run_rca; WHENCE_MCP_INCIDENTS=on adds those that list, read, resolve, mute, reopen, and take incidents,
and WHENCE_MCP_PROVE="npm test --" the tool prove, which runs that command.
Configure it with WHENCE_URL and WHENCE_API_KEY. Without a key it registers as an agent.`,
  run: async (_line, { environment }) => {
    const installed = installedMain();
    if (installed !== null) return runAs(process.execPath, [installed]);
    return runAs("npx", ["--yes", serviceAddress(environment.url ?? defaultServiceUrl) + mcpTarball]);
  },
};

/** Returns the program of the installed package; null when it isn't installed. */
function installedMain(): string | null {
  try {
    const manifestPath = createRequire(import.meta.url).resolve(`${mcpPackage}/package.json`);
    const manifest: { bin?: Record<string, string> } = JSON.parse(readFileSync(manifestPath, "utf8"));
    const main = manifest.bin?.["whence-mcp"];
    return main === undefined ? null : join(dirname(manifestPath), main);
  } catch {
    return null;
  }
}

/** Runs a program in place of this process, with its streams, environment, and signals. */
function runAs(program: string, args: readonly string[]): Promise<number> {
  const isNpx = program === "npx" && process.platform === "win32";
  const child = spawn(program, args, { stdio: "inherit", shell: isNpx });
  const forward = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? exitCodes.failed));
  });
}
