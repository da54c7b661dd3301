import { runtimeName } from "../runtime/runtime-name.ts";

/** The permissions that the client needs when `--permission` restricts the process. */
const permissions = [
  { scope: "worker", flag: "--allow-worker", without: "a crash can't be sent while the process ends, and is lost" },
  { scope: "net", flag: "--allow-net", without: "nothing can be sent" },
] as const;

/** Returns what the client can't report in this process, each with what would change that. */
export function unseenFailures(flags: readonly string[], isSpooled: boolean): string[] {
  if (runtimeName() === "bun") {
    const areErrors = flags.some((flag) => /^--unhandled-rejections=(?:strict|throw)$/.test(flag));
    return areErrors
      ? []
      : ["Bun hides unhandled rejections: start it with --unhandled-rejections=throw to report them"];
  }
  const { permission } = process;
  // With a spool, the next process sends what this one couldn't.
  if (runtimeName() !== "node" || permission === undefined || isSpooled) return [];
  return permissions
    .filter(({ scope, flag }) => process.allowedNodeEnvironmentFlags.has(flag) && !permission.has(scope))
    .map(({ flag, without }) => `without ${flag}, ${without}`);
}
