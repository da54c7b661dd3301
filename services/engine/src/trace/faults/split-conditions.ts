import type { LocatedFrame } from "../../findings/located-frame.ts";
import { wordsOfName } from "../../words/name-words.ts";
import type { Codebase } from "../code/codebase.ts";
import { chainOf, plain, textOf } from "../code/expressions.ts";
import { type CodeNode, functionNodesMax, nodesBetween, part, walk, walkOwn } from "../code/ir.ts";
import type { Program, Write } from "../code/program.ts";
import { placeAt, type Trail } from "../follow/trail.ts";

const nodesOfLineMax = 2_000;
const codeUnitsMax = 60;
/** How many writes of a flag are looked at in a file. */
const writesMax = 40;
/** If more places do it, none of them is more likely than the others. */
const foundMax = 2;

interface Split {
  readonly program: Program;
  readonly write: Write;
  readonly decided: CodeNode;
  readonly done: CodeNode;
}

/**
 * Notes where a flag is decided by another condition than what it tells of, if the failing code runs under that flag:
 * both conditions test the same value, and only one branch of the second does what the flag is named after.
 */
export function findSplitConditions(codebase: Codebase, frames: readonly LocatedFrame[], trail: Trail): void {
  const symptom = trail.signals().find(({ kind }) => kind === "throw-site" || kind === "bad-value");
  const frame = frames.find(({ frame: { origin } }) => origin === "app");
  const program = symptom && codebase.of(symptom.subject.source);
  if (!symptom || !program || frame?.file !== symptom.subject.file) return;
  const found = flagsAround(program, symptom.subject.line).flatMap((flag) =>
    codebase.own().flatMap((one) => splitsOf(one, flag)),
  );
  if (found.length > foundMax) return;
  for (const { program: where, write, decided, done } of found) {
    const [by, then] = [decided, done].map((node) => textOf(node, where.source, codeUnitsMax));
    const args = { flag: write.name, decided: by ?? "", done: then ?? "" };
    trail.add({ kind: "split-condition", args }, placeAt(where, decided), symptom);
  }
}

/** Returns the fields in the conditions around a line: `file.zipped` in `if file.zipped:`. */
function flagsAround({ source, tree }: Program, line: number): string[] {
  const { start, end } = source.lines(line, line);
  const flags = nodesBetween(tree, start, end, nodesOfLineMax).flatMap((node) => {
    const condition = node.kind === "if" ? part(node, "condition") : null;
    const flag = condition && plain(condition);
    return flag?.kind === "member" && flag.name !== null ? [flag.name] : [];
  });
  return [...new Set(flags)];
}

function splitsOf(program: Program, flag: string): Split[] {
  const writes = [...(program.entries.get(flag) ?? []), ...(program.fieldWrites.get(flag) ?? [])];
  return writes.slice(0, writesMax).flatMap((write): Split[] => {
    const decided = write.value && plain(write.value);
    if (decided?.kind !== "binary" || !write.node.owner) return [];
    const tested = partsTested(decided, program);
    const dones = [...walkOwn(write.node.owner)].filter((node) => node.kind === "if" && doesOnlyThen(node, flag));
    return dones.flatMap((node) => {
      const done = part(node, "condition");
      const isSameValue = done !== null && partsTested(done, program).some((one) => tested.includes(one));
      return done && isSameValue && !isTheSame(decided, done, program) ? [{ program, write, decided, done }] : [];
    });
  });
}

/** Returns the fields that a condition reads, as written. */
function partsTested(condition: CodeNode, { source }: Program): string[] {
  return [...walk(condition, functionNodesMax)].flatMap((node) =>
    node.kind === "member" ? [textOf(node, source)] : [],
  );
}

/** Returns whether two conditions are the same, or one negates the other. */
function isTheSame(left: CodeNode, right: CodeNode, { source }: Program): boolean {
  const [one, other] = [left, right].map((node) =>
    textOf(node, source)
      .replace(negations, "=")
      .replace(/^(?:!|not )/, ""),
  );
  return one === other;
}

const negations = /[!=]==?| not in | in | is not | is /g;

/** Returns whether only one branch of an `if` calls something that a flag is named after. */
function doesOnlyThen(node: CodeNode, flag: string): boolean {
  const [then, otherwise] = [part(node, "then"), part(node, "otherwise")];
  return then !== null && otherwise !== null && does(then, flag) !== does(otherwise, flag);
}

function does(branch: CodeNode, flag: string): boolean {
  const words = wordsOfName(flag);
  return [...walk(branch, functionNodesMax)].some((node) => {
    if (node.kind !== "call") return false;
    const called = chainOf(node).flatMap(({ name }) => wordsOfName(name ?? ""));
    return words.some((word) => word.length >= wordUnitsMin && called.includes(word));
  });
}

/** Shorter words, such as `is`, are in many names. */
const wordUnitsMin = 3;
