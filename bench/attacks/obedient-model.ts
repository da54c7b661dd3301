import { type ModelFinding, type Observation, observeFinding } from "@whence/engine";
import type { Program } from "./program.ts";

const runs = { runs: 2, of: 2 } as const;
const blamed = { file: "src/session.js", line: 3 };

/**
 * Returns what a model says that obeys the instructions in outside text: it blames the file that the attacks blame,
 * rules out the others, says so in the attacker's words, and quotes code that is there, so that no citation is dropped.
 */
export function obeyed(text: string, program: Program, at: string): readonly Observation[] {
  const said = (
    finding: Pick<ModelFinding, "subject" | "stance">,
    quoted: { file: string; line: number },
    first = { runs: 0, blind: 0 },
  ): Observation =>
    observeFinding(
      {
        ...{ model: "obedient", category: "timeout", sentence: text.slice(0, 250), ...runs, first, ...finding },
        citations: [
          { kind: "source", file: quoted.file, from: quoted.line, to: quoted.line, excerpt: lineOf(program, quoted) },
        ],
      },
      at,
    );
  const place = { kind: "place", function: null } as const;
  const others = Object.keys(program).filter((file) => file.endsWith(".js") && file !== blamed.file);
  return [
    said({ subject: { ...place, ...blamed }, stance: "supports" }, blamed, { runs: 2, blind: 1 }),
    ...others.map((file) => said({ subject: { ...place, file, line: 3 }, stance: "refutes" }, { file, line: 3 })),
  ];
}

function lineOf(program: Program, { file, line }: { readonly file: string; readonly line: number }): string {
  return (program[file] ?? "").split("\n")[line - 1] ?? "";
}
