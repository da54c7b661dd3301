import type { Clue, LocatedFrame, ParsedException } from "../../../findings.ts";
import type { SourceText } from "../../../source-text.ts";
import { markAnswerFields } from "../../answer-fields.ts";
import type { SourceFiles } from "../../source-files.ts";
import type { Language } from "../language.ts";
import type { Dialect } from "./dialect.ts";
import { nameAround, nodeAtPosition } from "./functions.ts";
import { parserOf } from "./grammars.ts";
import { CodePrograms } from "./programs.ts";
import { raisedElsewhere } from "./raised-elsewhere.ts";
import { suspiciousCode } from "./rule.ts";
import { type Suspicion, suspect } from "./throw-site.ts";
import { Trace } from "./trace.ts";

/** Frames whose calls are looked at, beginning with the innermost that the text shows. */
const framesFollowedMax = 3;

/** A language that is read with a grammar, by what its dialect says. */
export async function treeLanguage(
  dialect: Dialect,
  files: SourceFiles,
  onStack: ReadonlyMap<SourceText, readonly number[]>,
): Promise<Language> {
  const programs = new CodePrograms(files, dialect, await parserOf(dialect.grammar), onStack);
  return {
    reads: (name) => dialect.endings.test(name),
    functionAt: (source, position) => {
      const program = programs.of(source);
      return program ? nameAround(program, nodeAtPosition(program.tree, position)) : null;
    },
    clues: ({ error, chain }) => [
      ...chain.flatMap(({ exception, frames }) => follow(programs, exception, frames)),
      ...raisedElsewhere(
        programs,
        error,
        chain.flatMap(({ frames }) => frames),
      ),
      ...suspiciousCode(programs),
    ],
    leftOut: () => programs.leftOut,
  };
}

function follow(programs: CodePrograms, exception: ParsedException, frames: readonly LocatedFrame[]): Clue[] {
  const shown = frames.filter(({ place }) => place && programs.of(place.source)).slice(0, framesFollowedMax);
  const clues: Clue[] = [];
  for (const located of shown) {
    const suspicion = suspect(exception, located, programs);
    const program = located.place && programs.of(located.place.source);
    if (!located.place || !program || !suspicion) continue;
    const { place } = located;
    clues.push({
      kind: suspicion.kind,
      place,
      subject: exception.type,
      says: suspicion.says,
      steps: 0,
      how: null,
      isEnd: false,
    });
    const followed = followSubjects(programs, suspicion, located, frames);
    clues.push(...followed);
    // The trail leads into the callers by itself; only when there is none their calls are looked at.
    if (followed.length > 0) break;
  }
  return clues;
}

function followSubjects(
  programs: CodePrograms,
  { subjects }: Suspicion,
  frame: LocatedFrame,
  frames: readonly LocatedFrame[],
): Clue[] {
  const program = frame.place && programs.of(frame.place.source);
  if (!program) return [];
  return subjects.flatMap(({ node, wanted, path = [] }) =>
    markAnswerFields(new Trace(programs, frames).follow({ program, node, frame, path, wanted, via: null })),
  );
}
