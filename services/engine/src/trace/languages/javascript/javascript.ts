import type { Clue, EventFacts, LocatedFrame, ParsedException } from "../../../findings.ts";
import { inlineCode } from "../../../prose.ts";
import type { SourceText } from "../../../source-text.ts";
import { markAnswerFields } from "../../answer-fields.ts";
import type { SourceFiles } from "../../source-files.ts";
import type { Language } from "../language.ts";
import { clueAt } from "./clue-at.ts";
import { nameAround } from "./functions.ts";
import { guardsOnStack } from "./guards.ts";
import { missingExports } from "./missing-exports.ts";
import { isScript } from "./program.ts";
import { Programs } from "./programs.ts";
import { findUnawaited, type UnawaitedCall } from "./promises.ts";
import { findUnreleased } from "./resources.ts";
import { suspiciousCode } from "./rules/rules.ts";
import { suspect } from "./throw-site.ts";
import { loggedMessages, thrownMessages } from "./thrown-messages.ts";
import { Trace } from "./trace.ts";
import { nodeAt } from "./walk.ts";

/** Subjects of one throw site that are followed: a call with a hundred arguments is no better a suspect for it. */
const subjectsMax = 8;
/** Frames whose calls are looked at, beginning with the innermost that the text shows. */
const framesFollowedMax = 3;

/** JavaScript and TypeScript, read by TypeScript's parser: it gives a tree for broken files and for pieces of files too. */
export function javascript(files: SourceFiles, onStack: ReadonlyMap<SourceText, readonly number[]>): Language {
  const programs = new Programs(files, onStack);
  return {
    reads: isScript,
    functionAt: (source, position) => {
      const program = programs.of(source);
      return program ? nameAround(nodeAt(program.tree, position)) : null;
    },
    clues: (failure) => [
      ...failure.chain.flatMap(({ exception, frames }) => [
        ...orNothing(() => follow(programs, exception, frames)),
        ...orNothing(() => guardsOnStack(programs, exception, frames)),
        ...orNothing(() => missingExports(programs, exception, frames)),
        ...orNothing(() => thrownMessages(programs, exception, frames)),
      ]),
      ...orNothing(() =>
        failure.chain.every(({ frames }) => frames.length === 0) ? loggedMessages(programs, failure.error.records) : [],
      ),
      ...orNothing(() => promises(programs, failure.event)),
      ...orNothing(() => resources(programs)),
      ...orNothing(() => suspiciousCode(programs)),
    ],
    leftOut: () => programs.leftOut,
  };
}

/** Code can be nested more deeply than any of this can go down: then it tells nothing. */
function orNothing(find: () => Clue[]): Clue[] {
  try {
    return find();
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function follow(programs: Programs, exception: ParsedException, frames: readonly LocatedFrame[]): Clue[] {
  const shown = frames.filter(({ place }) => place !== null).slice(0, framesFollowedMax);
  const clues: Clue[] = [];
  for (const located of shown) {
    const isDirect = frames.every(({ index, frame }) => index >= located.index || frame.origin === "runtime");
    const suspicion = suspect(exception, located, programs, isDirect);
    if (!located.place || !suspicion) continue;
    clues.push({
      kind: suspicion.kind,
      place: located.place,
      subject: exception.type,
      says: suspicion.says,
      steps: 0,
      how: null,
      isEnd: false,
    });
    const followed = suspicion.subjects
      .slice(0, subjectsMax)
      .flatMap((subject) => markAnswerFields(new Trace(programs, frames).follow(subject)));
    clues.push(...followed);
    // The trail leads into the callers by itself; only when there is none their calls are looked at.
    const isUndeclared = suspicion.kind === "nullish-operand" && suspicion.subjects.length === 0;
    if (followed.length > 0 || isUndeclared) break;
  }
  return clues;
}

/** Promises that nobody waits for, in code that is the user's own. */
function promises(programs: Programs, event: EventFacts | null): Clue[] {
  return programs.own().flatMap((program) =>
    findUnawaited(programs, program).map((call) => ({
      ...clueAt(program, call.node, "unawaited-call", call.callee, sayUnawaited(call)),
      steps: event?.mechanism.type === "unhandledRejection" ? 0 : 1,
    })),
  );
}

function sayUnawaited({ how, callee }: UnawaitedCall): string {
  if (how === "forgotten") return `nothing awaits ${inlineCode(callee)}: when it rejects, nobody hears of it`;
  if (how === "each")
    return `nothing awaits the async callback of ${inlineCode(callee)}: what follows runs before it has ended`;
  return `the promise of ${inlineCode(callee)} is used as if it were its value`;
}

function resources(programs: Programs): Clue[] {
  return programs.own().flatMap((program) =>
    findUnreleased(program).map(({ node, acquire, leavesAt }) => {
      const says =
        leavesAt === null
          ? `what ${inlineCode(acquire)} gives is not released in a \`finally\``
          : `line ${program.source.lineAt(leavesAt.getStart())} can leave before what ${inlineCode(acquire)} gave is released`;
      return clueAt(program, node, "unreleased-resource", acquire, says);
    }),
  );
}
