import type { Fault } from "../fault.ts";
import { rareInputs } from "./inputs.ts";
import { processExits } from "./process-exits.ts";
import { faultsOfPython } from "./python.ts";
import { badReleases } from "./releases.ts";
import { badSettings } from "./settings.ts";
import { thirdParties } from "./third-parties.ts";

/** Every fault, in the order of the table. */
export const faults: readonly Fault[] = [
  ...badReleases,
  ...badSettings,
  ...thirdParties,
  ...rareInputs,
  ...processExits,
  ...faultsOfPython,
];
