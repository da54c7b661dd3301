import type ts from "typescript";
import type { Clue, RuleName } from "../../../../findings.ts";
import { clueAt } from "../clue-at.ts";
import type { CallNode, Program } from "../program.ts";
import type { Programs } from "../programs.ts";

/** Something about code that is a known way to a failure: whether it led to this one is the ranking's business. */
export interface Find {
  readonly node: ts.Node;
  /** The thing at fault: the variable, the call. */
  readonly subject: string;
  /** One sentence, without the place. */
  readonly says: string;
  /** What to do about it there. */
  readonly remedy: string;
}

/** How one kind of suspicious code is found in a file. */
export interface Rule {
  readonly name: RuleName;
  readonly find: (program: Program, programs: Programs) => readonly Find[];
}

/** More finds of one kind in one file say nothing about any of them. */
const findsMax = 12;

export function cluesOf(rule: Rule, program: Program, programs: Programs): Clue[] {
  return rule
    .find(program, programs)
    .slice(0, findsMax)
    .map(({ node, subject, says, remedy }) => ({
      ...clueAt(program, node, "suspicious-code", subject, says),
      rule: rule.name,
      remedy,
    }));
}

/** Each call is compared with others, so a file of nothing else would cost the square of its length. */
const callsLookedAtMax = 300;

/** The calls of some names, no more than can be compared with each other. */
export function callsNamed(program: Program, ...names: readonly string[]): CallNode[] {
  return names.flatMap((name) => (program.calls.get(name) ?? []).slice(0, callsLookedAtMax)).slice(0, callsLookedAtMax);
}
