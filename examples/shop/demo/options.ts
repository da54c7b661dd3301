import { parseArgs } from "node:util";
import { DemoError } from "./demo-error.ts";
import { type Fault, faults } from "./faults.ts";
import { withoutPython } from "./python.ts";
import { runningServices } from "./shop.ts";

/** The options of the command line. */
export interface DemoOptions {
  readonly faults: readonly Fault[];
  /** Whether to leave the server running until Ctrl-C. */
  readonly keep: boolean;
  /** Whether to print one JSON document instead of text. */
  readonly json: boolean;
  readonly help: boolean;
}

/** The most instructive one: its cause is a release of another service. */
const defaultFault = "changed-body";

/** The text of `--help`. */
export const usage = `Starts Whence and an example shop of six services, breaks the shop, and prints the report that comes out.

Usage: pnpm demo [options]

  --fault NAME   the fault to switch on, ${defaultFault} unless told:
${faults.map(({ name, plays }) => `                   ${name.padEnd(16)} ${plays}`).join("\n")}
  --all          every fault, one after the other
  --keep         leave the service running until Ctrl-C, so that the report's address opens
  --json         print one JSON document instead of text
  --help         print this
`;

/** Parses the arguments. Rejects unknown ones with a {@link DemoError}. */
export function readOptions(args: readonly string[]): DemoOptions {
  const { values } = parse(args);
  const { fault: name, all, keep, json, help } = values;
  const chosen = all ? faults.filter(canRun) : faults.filter((fault) => fault.name === (name ?? defaultFault));
  if (chosen.length === 0) {
    const known = faults.map((fault) => fault.name).join(", ");
    throw new DemoError(`there is no fault called ${name}: take one of ${known}`);
  }
  if (!chosen.every(canRun)) throw new DemoError(`${withoutPython} ${name} breaks that one.`);
  if (all && name !== undefined) throw new DemoError("take --all or --fault, not both");
  return { faults: chosen, keep, json, help };
}

/** Whether the service that fails runs on this machine. */
export function canRun({ service }: Fault): boolean {
  return runningServices().includes(service);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      // pnpm passes on the `--` of `pnpm demo -- --all`.
      args: args.filter((arg) => arg !== "--"),
      options: {
        fault: { type: "string" },
        all: { type: "boolean", default: false },
        keep: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new DemoError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
