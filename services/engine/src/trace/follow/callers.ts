import type { LocatedFrame } from "../../findings/located-frame.ts";
import { calleesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import { lastName } from "../code/expressions.ts";
import { classNameOf, type FoundFunction, ownName } from "../code/functions.ts";
import { type CodeNode, is, isWithin, part } from "../code/ir.ts";
import { requiredBy } from "../code/modules.ts";
import type { Program } from "../code/program.ts";
import { mayBeOf, printedName } from "../frames/closures.ts";
import { callAtFrame } from "../frames/stack-calls.ts";

/** A call in the code, and the frame in which it is seen. */
export interface CallSite {
  readonly program: Program;
  readonly call: CodeNode;
  readonly frame: LocatedFrame | null;
}

/** If a function has more calls than this, none is more likely than the others. */
const callersMax = 4;
/** Maximum number of calls of one name, and of files, that are compared. */
const namesakesMax = 60;

/**
 * Returns the calls of a function: the one on the stack if it is seen there, or else those in the given code if they
 * are few. `frames` are one stack, innermost first; `frame` is the one in which the function runs, if known.
 */
export function callersOf(
  codebase: Codebase,
  frames: readonly LocatedFrame[],
  { program, node }: FoundFunction,
  frame: LocatedFrame | null,
): CallSite[] {
  const isIn = ({ place }: LocatedFrame): boolean =>
    place?.source === program.source &&
    program.source.lineAt(node.start) <= place.line &&
    place.line <= program.source.lineAt(node.end);
  const name = ownName(node);
  const runs = (one: LocatedFrame): boolean => isIn(one) && mayBeOf(one.frame, node);
  // A function without a name runs within the lines of the one around it.
  const named = frames.find(
    (one) => name !== null && one.index >= (frame?.index ?? 0) && isIn(one) && printedName(one.frame) === name,
  );
  const own = named ?? (frame && runs(frame) ? frame : frames.find(runs));
  const later = own ? frames.filter(({ exception, index }) => exception === own.exception && index > own.index) : [];
  const caller = later.find((one) => one.place !== null && !isIn(one)) ?? later.find(({ place }) => place !== null);
  const site = caller && callAtFrame(codebase, caller, name);
  const isDirect = caller?.index === (own?.index ?? 0) + 1;
  if (caller && site && (isDirect || (name !== null && site.call.name === name))) return [{ ...site, frame: caller }];
  const written = writtenCallsOf(codebase, { program, node }, name);
  return written.length <= callersMax ? written : [];
}

function writtenCallsOf(codebase: Codebase, { program, node }: FoundFunction, name: string | null): CallSite[] {
  const isConstructor = name !== null && program.dialect.constructors.has(name);
  const called = isConstructor ? (program.dialect.construction === "new-method" ? "new" : classNameOf(node)) : name;
  const names = called === null ? aliasesOf(codebase, program, node) : [called, ...aliasesOf(codebase, program, node)];
  const found: CallSite[] = [];
  for (const other of codebase.all()) {
    if (other.dialect !== program.dialect) continue;
    for (const one of new Set(names)) {
      for (const call of (other.calls.get(one) ?? []).slice(0, namesakesMax)) {
        if (isWithin(call, node) && other === program) continue;
        if (calleesOf(codebase, other, call).some((callee) => callee.node === node))
          found.push({ program: other, call, frame: null });
        if (found.length > callersMax) return found;
      }
    }
  }
  return found;
}

/** Other names by which an anonymous function or a default export is called. */
function aliasesOf(codebase: Codebase, program: Program, node: CodeNode): string[] {
  if (program.dialect.exports !== "listed") return [];
  const isWhole =
    is(node, "default") ||
    (node.parent?.kind === "assign" && lastName(part(node.parent, "target") ?? node) === "exports");
  if (!isWhole && ownName(node) !== null && node.owner !== null) return [];
  return codebase
    .all()
    .slice(0, namesakesMax)
    .flatMap((other) => [
      ...other.imports.flatMap((one) =>
        one.name !== null && codebase.files.resolve(other.source.name, one.name) === program.source
          ? one.children.flatMap((entry) => (entry.name === "default" ? (part(entry, "value")?.name ?? []) : []))
          : [],
      ),
      ...(other.calls.get("require") ?? []).slice(0, namesakesMax).flatMap((call) => {
        const specifier = requiredBy(call)?.specifier;
        const isIt = specifier !== undefined && codebase.files.resolve(other.source.name, specifier) === program.source;
        return isIt && call.parent?.kind === "declare" ? (call.parent.name ?? []) : [];
      }),
    ]);
}
