import type { Clue, RuleName } from "../../../findings.ts";
import type { CodeNode } from "./code-node.ts";
import type { CodeProgram } from "./program.ts";
import type { CodePrograms } from "./programs.ts";
import { placeAt } from "./trace-log.ts";

/** Something about code that is a known way to a failure: whether it led to this one is the ranking's business. */
export interface Find {
  readonly node: CodeNode;
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
  readonly find: (program: CodeProgram, programs: CodePrograms) => readonly Find[];
}

/** More finds of one kind in one file say nothing about any of them. */
const findsMax = 12;

/** Everything suspicious in the files. Which of it has to do with the error is not asked here. */
export function suspiciousCode(programs: CodePrograms): Clue[] {
  const { rules } = programs.dialect;
  return programs.all().flatMap((program) => rules.flatMap((rule) => cluesOf(rule, program, programs)));
}

function cluesOf(rule: Rule, program: CodeProgram, programs: CodePrograms): Clue[] {
  return rule
    .find(program, programs)
    .slice(0, findsMax)
    .map(({ node, subject, says, remedy }) => ({
      kind: "suspicious-code",
      place: placeAt(program, node),
      subject,
      says,
      steps: 0,
      how: null,
      isEnd: false,
      rule: rule.name,
      remedy,
    }));
}
