import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const repository: string = join(import.meta.dirname, "../..");
/** A third of the service's share of a busy processor. The lowest priority would never end on a busy machine. */
const niceness = 5;

/** The programs that build what the service serves besides its page, in the order in which a newcomer asks for it. */
const programs = ["sdks/tarballs/build.ts", "docs/build.ts"];

/**
 * Builds the clients and the documentation if they have changed, one after the other and with low priority, so that the
 * service stays as fast as without it. Ends with this process. Prints the progress, and why a build failed.
 */
export async function buildBeside(): Promise<void> {
  for (const program of programs) {
    const problem = await build(program).catch((error) => `${program} can't be started: ${error}\n`);
    process.stderr.write(problem);
  }
}

/** Returns what a build that failed wrote; a tool's remarks about a build that succeeded aren't a newcomer's. */
async function build(program: string): Promise<string> {
  // In a process group, which contains what the build starts.
  const child = spawn(process.execPath, [join(repository, program)], {
    stdio: ["ignore", "inherit", "pipe"],
    detached: true,
  });
  const end = () => endGroup(child);
  process.once("exit", end);
  try {
    await once(child, "spawn");
    lower(child);
    const [written] = await Promise.all([text(child.stderr), once(child, "close")]);
    const { exitCode, signalCode } = child;
    return exitCode === 0 ? "" : `${written}${program} ended with ${signalCode ?? exitCode}\n`;
  } finally {
    process.removeListener("exit", end);
  }
}

/** A build at the usual priority is better than none. */
function lower({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // Not permitted here, or it has ended already, which its exit code tells.
  }
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid);
}
