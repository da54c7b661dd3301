import { changeKinds } from "./changes/kinds.ts";
import { codeKinds } from "./code/kinds.ts";
import { factKinds } from "./facts/kinds.ts";
import { gapKinds } from "./gaps/kinds.ts";
import { inputKinds } from "./inputs/kinds.ts";
import type { Described, Kind } from "./kind.ts";
import { outsideKinds } from "./outside/kinds.ts";

/** Kinds that are registered in one list, and hold the same. */
export interface Family {
  /** The folder of its kinds, below `signals`. */
  readonly name: string;
  readonly title: string;
  readonly kinds: readonly Kind[];
}

/** Every family of kinds: what documentation, tests, and measurements iterate. */
export const families: readonly Family[] = [
  family("code", "Signals in code", codeKinds),
  family("facts", "Facts of the telemetry", factKinds),
  family("outside", "Findings of connected third parties", outsideKinds),
  family("changes", "Changes of a release", changeKinds),
  family("inputs", "Evidence in the input", inputKinds),
  family("gaps", "What wasn't checked", gapKinds),
];

function family(name: string, title: string, kinds: Readonly<Record<string, Described>>): Family {
  return { name, title, kinds: Object.values(kinds).map(({ described }) => described) };
}
