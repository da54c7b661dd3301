import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, textOf } from "../code/expressions.ts";
import type { FoundFunction } from "../code/functions.ts";
import { around, type CodeNode, functionNodesMax, part, walk } from "../code/ir.ts";
import { printedIn } from "../code/plain-texts.ts";
import type { Program } from "../code/program.ts";
import { aboutStore, readingCalls, storesIn, writingCalls } from "../code/stores.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { callAtFrame } from "../frames/stack-calls.ts";

/** What parsers say of the text that a language prints for an object: `{'a': 1}`, `[object Object]`. */
const printed =
  /Expecting property name enclosed in double quotes: line \d+ column 2\b|Expecting value: line \d+ column [12] |\[object Object\]|Unexpected token '?[o']'? in JSON at position 1\b|Expected property name or '\}' in JSON at position 1\b|Unexpected token '?''?, "[{[]/;
const framesMax = 3;
const writesMax = 2;

/** Notes where a value is stored as the language prints it, if the failing code reads the same store as JSON. */
export function findUnserialized({ codebase, chain }: Failure, trail: Trail): void {
  for (const { exception, frames } of chain) {
    const reading = printed.test(exception.message) ? readingAt(codebase, frames) : null;
    if (!reading) continue;
    const { program, call } = reading;
    const readers = readersOf(codebase, reading, trail);
    const stores = new Set(readers.flatMap((one) => [...storesReadBy(one)]));
    const found = codebase.near().flatMap((one) => printedWrites(one, stores));
    const parse = textOf(part(call, "callee") ?? call, program.source);
    if (found.length > writesMax) return;
    for (const { program: where, text } of found)
      trail.add(
        { kind: "unserialized-text", args: { text: textOf(text, where.source), parse } },
        placeAt(where, text),
        trail.first,
        1,
      );
    return;
  }
}

interface Reading {
  readonly program: Program;
  readonly call: CodeNode;
}

/** Returns the innermost call on the stack that parses a text. */
function readingAt(codebase: Codebase, frames: readonly LocatedFrame[]): Reading | null {
  const own = frames.filter(({ place }) => place !== null && codebase.of(place.source)?.isInstalled === false);
  for (const frame of own.slice(0, framesMax)) {
    const at = callAtFrame(codebase, frame, null);
    const isParsing = at?.program.dialect.calls.parsing.has(at.call.name ?? "");
    if (at && isParsing) return at;
  }
  return null;
}

/** Returns the function that parses the text, and those through which the text went. */
function readersOf(codebase: Codebase, { program, call }: Reading, trail: Trail): FoundFunction[] {
  const readers = new Map<CodeNode, FoundFunction>();
  const add = (where: Program, owner: CodeNode | null): void => {
    const node = owner ?? where.tree;
    readers.set(node, { program: where, node });
  };
  add(program, around(call, "function"));
  for (const { kind, subject } of trail.signals()) {
    const where = kind === "value-step" ? codebase.of(subject.source) : null;
    const owner = where?.functions.findLast(
      ({ start, end }) => where.source.lineAt(start) <= subject.line && subject.line <= where.source.lineAt(end),
    );
    if (where && owner) add(where, owner);
  }
  return [...readers.values()];
}

function storesReadBy({ program, node }: FoundFunction): ReadonlySet<string> {
  const calls = [...walk(node, functionNodesMax)].filter(
    ({ kind, name }) => kind === "call" && readingCalls.has(name ?? ""),
  );
  return storesIn(program, calls.flatMap(aboutStore));
}

interface PrintedWrite {
  readonly program: Program;
  readonly text: CodeNode;
}

/** Returns where a file writes a value to one of some stores as the language prints it. */
function printedWrites(program: Program, stores: ReadonlySet<string>): PrintedWrite[] {
  const calls = [...writingCalls].flatMap((name) => program.calls.get(name) ?? []);
  return calls.flatMap((call) => {
    const written = argumentsOf(call)
      .filter(({ name }) => name === null)
      .at(-1)?.value;
    const isPrinted = written !== undefined && printedIn(program, written) !== null;
    const isSame = isPrinted && [...storesIn(program, aboutStore(call))].some((store) => stores.has(store));
    return isSame && written ? [{ program, text: written }] : [];
  });
}
