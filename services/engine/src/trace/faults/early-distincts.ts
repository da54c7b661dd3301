import type { ParsedError } from "../../findings/parsed-error.ts";
import { wordsOfName } from "../../words/name-words.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, heldBy, lastName, plain, receiverOf, textOf, wordsOf } from "../code/expressions.ts";
import { nameAround } from "../code/functions.ts";
import { around, type CodeNode, functionNodesMax, isWithin, part, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { refusedColumns } from "../follow/named-columns.ts";
import { placeAt, type Trail } from "../follow/trail.ts";

/** Calls that drop equal values. */
const distinct: ReadonlySet<string> = new Set("Set set frozenset fromkeys uniq uniqBy unique".split(" "));
/** Calls after which values may be equal that weren't. */
const normalizing: ReadonlySet<string> = new Set(
  "trim trimStart trimEnd toLowerCase toUpperCase normalize strip lstrip rstrip lower upper casefold downcase upcase slugify".split(
    " ",
  ),
);
/** How many calls are looked at in a file. */
const callsMax = 100;
/** If more places do it, none of them is more likely than the others. */
const foundMax = 2;

interface Early {
  readonly program: Program;
  readonly call: CodeNode;
  readonly normalizing: string;
}

/**
 * Notes where values are made distinct before they are normalized, if a database refused a duplicate of a table or a
 * column that the code there is named after.
 */
export function findEarlyDistincts(codebase: Codebase, error: ParsedError, trail: Trail): void {
  const refused = error.exceptions.map(refusedColumns).find((one) => one?.isDuplicate);
  if (!refused) return;
  const { table, columns } = refused;
  const stems = new Set([...(table === null ? columns : [table])].flatMap(wordsOfName).map(stemOf));
  const found = codebase.own().flatMap((program) => earlyIn(program).filter((one) => isAbout(one, stems)));
  if (found.length > foundMax) return;
  for (const { program, call, normalizing: name } of found) {
    const code = textOf(call, program.source, codeUnitsMax);
    const args = { code, normalizing: name, refused: [...(table === null ? [] : [table]), columns[0] ?? ""].join(".") };
    trail.add({ kind: "early-distinct", args }, placeAt(program, call), null);
  }
}

const codeUnitsMax = 60;

function stemOf(word: string): string {
  return word.replace(/(?:ies|y)$/, "i").replace(/s$/, "");
}

/** Returns whether the code is named after one of the words: its function, or a name in the statement. */
function isAbout({ call }: Early, stems: ReadonlySet<string>): boolean {
  const statement = around(call, "declare", "assign", "return", "block") ?? call;
  const names = [nameAround(call) ?? "", ...wordsOf(walk(statement, functionNodesMax))];
  return names.flatMap(wordsOfName).some((word) => stems.has(stemOf(word)));
}

function earlyIn(program: Program): Early[] {
  const calls = [...distinct].flatMap((name) => program.calls.get(name) ?? []).slice(0, callsMax);
  return calls.flatMap((call) => {
    const [first] = argumentsOf(call);
    if (!first || normalizedIn(first.value) !== null || isNormalizedBefore(first.value, call)) return [];
    const after = normalizedAfter(call);
    return after && !isDistinctAgain(after.over) ? [{ program, call, normalizing: after.name }] : [];
  });
}

/** Returns the name of a normalizing call in code. */
function normalizedIn(code: CodeNode): string | null {
  for (const { kind, name } of walk(code, functionNodesMax))
    if (kind === "call" && name !== null && normalizing.has(name)) return name;
  return null;
}

/** Returns whether the variable that is made distinct was normalized in the same function. */
function isNormalizedBefore(value: CodeNode, call: CodeNode): boolean {
  const name = lastName(value);
  return writesIn(call).some(
    (write) => write.end <= call.start && nameWritten(write) === name && normalizedIn(write) !== null,
  );
}

interface Normalized {
  readonly name: string;
  /** The code that goes through the distinct values. */
  readonly over: CodeNode;
}

/** Returns what normalizes the distinct values: a call or a loop over them, or over the variable that holds them. */
function normalizedAfter(call: CodeNode): Normalized | null {
  const held = holderOf(call);
  const scope = call.owner ?? around(call, "module");
  if (!scope) return null;
  for (const node of walk(scope, functionNodesMax)) {
    const over = node.kind === "loop" ? part(node, "over") : node.kind === "call" ? receiverOf(node) : null;
    if (!over || (node.kind === "call" && node.name !== "map" && node.name !== "collect")) continue;
    const isOver = isWithin(call, over) || (held !== null && node.start > call.end && lastName(plain(over)) === held);
    const name = isOver ? normalizedOutside(node, over) : null;
    if (name !== null) return { name, over: node };
  }
  return null;
}

function normalizedOutside(node: CodeNode, over: CodeNode): string | null {
  // The loop of a comprehension is beside what is made of each element.
  const loop = node.parent?.kind === "list" ? node.parent : node;
  const rest =
    node.kind === "call"
      ? argumentsOf(node).map(({ value }) => value)
      : loop.children.filter((one) => one !== over && one !== node);
  return rest.map(normalizedIn).find((name) => name !== null) ?? null;
}

/** Returns the variable that holds the distinct values, spread into a list or not. */
function holderOf(call: CodeNode): string | null {
  let at = call;
  while (at.parent && (at.parent.kind === "spread" || at.parent.kind === "list" || isConversion(at.parent)))
    at = at.parent;
  return heldBy(at);
}

function isConversion({ kind, name }: CodeNode): boolean {
  return kind === "call" && (name === "list" || name === "from" || name === "sorted");
}

/** Returns whether what normalizes the values is itself given to a call that makes them distinct. */
function isDistinctAgain(over: CodeNode): boolean {
  const held = holderOf(over);
  for (let at = over.parent; at && at.kind !== "function"; at = at.parent)
    if (at.kind === "call" && distinct.has(at.name ?? "")) return true;
  return held !== null && writesIn(over).some((node) => node.start > over.end && usesDistinct(node, held));
}

function usesDistinct(node: CodeNode, held: string): boolean {
  return [...walk(node, functionNodesMax)].some(
    (one) =>
      one.kind === "call" &&
      distinct.has(one.name ?? "") &&
      argumentsOf(one).some(({ value }) => lastName(value) === held),
  );
}

function writesIn({ owner }: CodeNode): CodeNode[] {
  if (!owner) return [];
  return [...walk(owner, functionNodesMax)].filter(
    ({ kind }) => kind === "declare" || kind === "assign" || kind === "return",
  );
}

function nameWritten(write: CodeNode): string | null {
  return write.kind === "declare" ? write.name : (part(write, "target")?.name ?? null);
}
