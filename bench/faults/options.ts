import { parseArgs } from "node:util";
import { runningServices } from "../../examples/shop/demo/shop.ts";
import { type ModelChoice, modelOptions } from "../model/model-setup.ts";
import { faults } from "./catalogue/faults.ts";
import type { Fault } from "./fault.ts";
import { type Omission, omissions } from "./releases.ts";

/** The options of the command line. */
export interface Options {
  readonly faults: readonly Fault[];
  /** The number of faults that run at the same time, each in its own shop. */
  readonly lanes: number;
  readonly seed: number;
  readonly without: Omission | undefined;
  readonly asked: ModelChoice;
  readonly json: boolean;
  /** Whether to leave the service running until Ctrl-C, for reading the reports. */
  readonly keep: boolean;
}

const lanesDefault = 3;
const seedDefault = 20_260;

/** Parses the command line; throws a one-line message for an invalid one. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...modelOptions,
      only: { type: "string" },
      lanes: { type: "string", default: String(lanesDefault) },
      seed: { type: "string", default: String(seedDefault) },
      without: { type: "string" },
      json: { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
    },
  });
  const { only, lanes, seed, without, json, keep, model, scripted } = values;
  return {
    faults: (only === undefined ? faults : namedFaults(only)).filter(canRun),
    lanes: Number(lanes),
    seed: Number(seed),
    without: without === undefined ? undefined : omissionNamed(without),
    asked: { model, scripted },
    json,
    keep,
  };
}

/** Whether every service that the fault restarts runs on this machine. */
function canRun({ causedBy, decoys }: Fault): boolean {
  const services = [causedBy, ...decoys.flatMap((decoy) => (decoy.kind === "noise" ? [] : [decoy.service]))];
  const running = runningServices();
  return services.every((service) => running.includes(service));
}

function namedFaults(names: string): Fault[] {
  return names.split(",").map((name) => {
    const found = faults.find((fault) => fault.name === name);
    if (!found) throw new Error(`no fault ${name}; there are: ${faults.map((fault) => fault.name).join(", ")}`);
    return found;
  });
}

function omissionNamed(name: string): Omission {
  const found = omissions.find((omission) => omission === name);
  if (!found) throw new Error(`--without takes ${omissions.join(" or ")}, not ${name}`);
  return found;
}
