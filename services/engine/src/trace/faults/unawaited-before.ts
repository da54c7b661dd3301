import type { LocatedFrame } from "../../findings/located-frame.ts";
import { calleesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import { classAround, nameAround } from "../code/functions.ts";
import { around, type CodeNode } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { nodeOnLine } from "../frames/stack-calls.ts";

/** What an error says about something that isn't there, or not yet. */
const absent =
  /not (?:found|exist|yet|ready|available|open|connected|initiali[sz]ed)|n't (?:found|exist|ready)|\bno\b|missing|unknown|undefined|null\b|\bNone\b|KeyError|NotFound|before\b/i;

interface Own {
  readonly program: Program;
  readonly frame: LocatedFrame;
  readonly function: CodeNode | null;
}

/**
 * Returns the function in which the error was thrown, if a call that nothing awaits came before it in a function on the
 * stack, and its work is of the same class or file: it may not have been done yet. Null for any other call.
 */
export function failedAfter(
  codebase: Codebase,
  said: string,
  frames: readonly LocatedFrame[],
  program: Program,
  call: CodeNode,
): string | null {
  if (!absent.test(said)) return null;
  const own = frames.flatMap((frame) => ownOf(codebase, frame));
  const [thrown, ...callers] = own;
  if (!thrown?.function || !thrown.frame.place) return null;
  const { owner } = call;
  const caller = callers.find((one) => one.program === program && one.function === owner && owner !== null);
  const isBefore = caller?.frame.place && program.source.lineAt(call.end) < caller.frame.place.line;
  if (!isBefore) return null;
  const inSameClass = calleesOf(codebase, program, call).some(
    (one) => one.program === thrown.program && isOfSame(one.node, thrown.function),
  );
  return inSameClass ? nameAround(thrown.function) : null;
}

function ownOf(codebase: Codebase, frame: LocatedFrame): Own[] {
  const program = frame.place && codebase.of(frame.place.source);
  if (!frame.place || !program || program.isInstalled) return [];
  return [{ program, frame, function: around(nodeOnLine(program, frame.place), "function") }];
}

function isOfSame(one: CodeNode, other: CodeNode | null): boolean {
  return other !== null && one !== other && classAround(one) === classAround(other);
}
