import type { Operator } from "../fault.ts";
import { dependencies } from "./dependencies.ts";
import { clocks, data, hosts, load } from "./other.ts";
import { releases } from "./releases.ts";
import { flags, settings } from "./settings.ts";

/** Every way to break a system. */
export const operators: readonly Operator[] = [
  ...releases,
  ...settings,
  ...flags,
  ...dependencies,
  ...data,
  ...load,
  ...hosts,
  ...clocks,
];
