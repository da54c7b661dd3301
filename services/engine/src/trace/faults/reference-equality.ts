import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, isLiteral, lastName, plain, receiverOf, textOf } from "../code/expressions.ts";
import { around, type CodeNode, is, part, walkOwn } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { ownNodesOnTrail } from "./own-nodes.ts";
import { tiesToTrail } from "./ties-to-trail.ts";
import { writtenType } from "./written-types.ts";

/** Types of Java whose equal values may be different objects. */
const boxed: ReadonlySet<string> = new Set(
  "String Integer Long Short Byte Character Double Float BigDecimal BigInteger UUID Instant LocalDate LocalDateTime LocalTime Duration Optional".split(
    " ",
  ),
);

/** How many comparisons of one error are examined. */
const examinedMax = 400;
const comparing = /^(?:[=!]==?|is|is not)$/;

/** Notes where the failing value depends on whether two things are one object, rather than on whether they are equal. */
export function findReferenceEquality({ codebase, frames }: Failure, trail: Trail): void {
  const isTied = tiesToTrail(trail);
  let left = examinedMax;
  for (const { program, node } of ownNodesOnTrail(codebase, frames, trail)) {
    if (node.kind !== "binary" || !comparing.test(node.name ?? "")) continue;
    if (left-- <= 0) return;
    const type = comparedType(codebase, program, node);
    if (type === null || !isTied(program, node)) continue;
    const args = { code: textOf(node, program.source), type };
    trail.add({ kind: "reference-equality", args }, placeAt(program, node), trail.first, 1);
  }
}

/** Returns the type of what is compared by reference; null where nothing is, or where it can't be wrong. */
function comparedType(codebase: Codebase, program: Program, node: CodeNode): string | null {
  const [left, right] = [part(node, "left"), part(node, "right")];
  if (!left || !right) return null;
  if (node.name?.startsWith("is")) return literalType(left) ?? literalType(right);
  if (program.dialect.construction !== "new-operator") return null;
  return madeType(program, left, right) ?? boxedType(codebase, program, left, right);
}

/** `name is "x"`: whether equal texts are one object depends on how they were made. */
function literalType(node: CodeNode): string | null {
  const { kind } = plain(node);
  return kind === "string" ? "str" : kind === "number" ? "int" : null;
}

/** Returns the class of two objects that are both made where they are used: they are never the same. */
function madeType(program: Program, left: CodeNode, right: CodeNode): string | null {
  const [one, other] = [madeAt(program, left), madeAt(program, right)];
  return one !== null && one === other ? one : null;
}

function madeAt(program: Program, expression: CodeNode): string | null {
  const node = plain(expression);
  if (node.kind === "call") return is(node, "new") ? node.name : null;
  const binding = node.kind === "name" && node.name !== null ? resolve(program, node.name, node) : null;
  const [write, ...others] = binding?.kind === "variable" ? binding.writes : [];
  const value = write?.value && write.path.length === 0 && others.length === 0 ? plain(write.value) : null;
  return value?.kind === "call" && is(value, "new") ? value.name : null;
}

/** Returns the type of two values that are compared with `==`, if their function doesn't compare them with `equals`. */
function boxedType(codebase: Codebase, program: Program, left: CodeNode, right: CodeNode): string | null {
  if (isLiteral(left) && isLiteral(right)) return null;
  const type = writtenType(codebase, program, left);
  if (type === null || !boxed.has(type) || writtenType(codebase, program, right) !== type) return null;
  if ([left, right].some((one) => isMark(program, one))) return null;
  return isComparedByValue(program, left) ? null : type;
}

/** Returns whether a constant is an object of its own, which only it is meant to equal: `NONE = new String("")`. */
function isMark({ fieldWrites }: Program, node: CodeNode): boolean {
  const [only, ...others] = fieldWrites.get(lastName(node) ?? "") ?? [];
  const value = only?.value && others.length === 0 ? plain(only.value) : null;
  return value?.kind === "call" && is(value, "new");
}

/** `left == right || left.equals(right)`, `Objects.equals(left, right)` */
function isComparedByValue({ source, tree }: Program, left: CodeNode): boolean {
  const text = textOf(left, source);
  const scope = around(left, "function") ?? tree;
  return [...walkOwn(scope)].some((one) => {
    if (one.kind !== "call" || !/^(?:equals|equalsIgnoreCase|compareTo)$/.test(one.name ?? "")) return false;
    const on = receiverOf(one);
    return [on, ...argumentsOf(one).map(({ value }) => value)].some((side) => side && textOf(side, source) === text);
  });
}
