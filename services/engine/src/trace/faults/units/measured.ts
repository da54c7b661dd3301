import { calleesOf } from "../../code/calls.ts";
import type { Codebase } from "../../code/codebase.ts";
import { argumentsOf, lastName, plain, textOf } from "../../code/expressions.ts";
import { type FoundFunction, ownName, returnsOf } from "../../code/functions.ts";
import { type CodeNode, functionNodesMax, part, walk } from "../../code/ir.ts";
import type { Program } from "../../code/program.ts";
import { resolve } from "../../code/scopes.ts";
import { isSameUnit, scaled, type Unit, unitInFunctionName, unitInName, unitOf, unitsInRate } from "./units.ts";

const depthMax = 6;
const writesMax = 8;

/** What well-known calls return, by their text without arguments. */
const returning: readonly (readonly [RegExp, Unit])[] = [
  [/^(?:Date\.now|performance\.now|Date\.parse)$|\.getTime$|^process\.uptime\(\) \* 1000$/, unitOf("ms")],
  [/^(?:time\.)?(?:time|monotonic|perf_counter)$|\.total_seconds$|^process\.uptime$/, unitOf("seconds")],
  [/^Buffer\.byteLength$|\bgetsize$/, unitOf("bytes")],
];

/** They return a quantity in the unit of what they are given. */
const passing = /^(?:(?:Math\.)?(?:floor|ceil|round|trunc|max|min|abs)|Number|parseInt|parseFloat|int|float|Decimal)$/;

/** Returns the unit of an expression, by names, well-known calls, and conversions; null when none tells it. */
export function unitAt(codebase: Codebase, program: Program, expression: CodeNode, depth = depthMax): Unit | null {
  const node = plain(expression);
  const inner = (one: CodeNode | null): Unit | null =>
    one && depth > 0 ? unitAt(codebase, program, one, depth - 1) : null;
  switch (node.kind) {
    case "name":
    case "member":
      return unitInName(node.name ?? "") ?? (depth > 0 ? unitOfWrites(codebase, program, node, depth) : null);
    case "index": {
      const key = part(node, "key");
      const text = key?.kind === "string" ? key.name : null;
      return text ? (unitInName(text) ?? (depth > 0 ? unitOfField(codebase, program, text, depth) : null)) : null;
    }
    case "call":
      return depth > 0 ? unitOfCall(codebase, program, node, depth) : null;
    case "choice":
      return inner(part(node, "then")) ?? inner(part(node, "otherwise"));
    case "unary":
      return inner(part(node, "operand"));
    case "binary":
      return unitOfBinary(node, inner);
    default:
      return null;
  }
}

function unitOfBinary(node: CodeNode, inner: (one: CodeNode | null) => Unit | null): Unit | null {
  const [left, right] = [part(node, "left"), part(node, "right")];
  switch (node.name) {
    case "+":
    case "-":
    case "??":
    case "||":
    case "or":
      return inner(left) ?? inner(right);
    case "*": {
      const product = left && right && (converted(left, right, inner) ?? converted(right, left, inner));
      return product ?? null;
    }
    case "/":
    case "//": {
      const by = right ? numberOf(right) : null;
      const unit = inner(left);
      const rate = right && unitsInRate(lastName(right) ?? "");
      if (rate) return unit === null || isSameUnit(unit, rate.of) ? rate.per : null;
      if (by !== null) return unit && scaled(unit, 1 / by);
      // A quantity divided by another of its kind is a number.
      return right && inner(right) === null && isPlainNumber(right) ? unit : null;
    }
    default:
      return null;
  }
}

function isPlainNumber(node: CodeNode): boolean {
  return node.kind === "number";
}

/** Returns the unit of `quantity * factor`; undefined where the factor is no number and no rate. */
function converted(
  quantity: CodeNode,
  factor: CodeNode,
  inner: (one: CodeNode | null) => Unit | null,
): Unit | null | undefined {
  const rate = unitsInRate(lastName(factor) ?? "");
  if (rate) return rate.of;
  const by = numberOf(factor);
  const unit = inner(quantity);
  if (unit === null) return undefined;
  // With a factor that isn't known, such as a percentage, the scale of the product isn't either.
  return by === null ? null : scaled(unit, by);
}

/** Returns the value of a number, or of a product of numbers: `60 * 60 * 1000`. */
export function numberOf(expression: CodeNode): number | null {
  const node = plain(expression);
  if (node.kind === "number") {
    const value = Number((node.name ?? "").replaceAll("_", ""));
    return Number.isFinite(value) ? value : null;
  }
  if (node.kind !== "binary" || node.name !== "*") return null;
  const [left, right] = [part(node, "left"), part(node, "right")];
  const [one, other] = [left && numberOf(left), right && numberOf(right)];
  return one === null || other === null ? null : one * other;
}

function unitOfCall(codebase: Codebase, program: Program, call: CodeNode, depth: number): Unit | null {
  const callee = part(call, "callee");
  const text = callee ? textOf(callee, program.source) : "";
  const known = returning.find(([pattern]) => pattern.test(text));
  if (known) return known[1];
  if (passing.test(text)) {
    const found = argumentsOf(call).map(({ value }) => unitAt(codebase, program, value, depth - 1));
    return found.find((unit) => unit !== null) ?? null;
  }
  const named = unitInFunctionName(call.name ?? "");
  if (named) return named;
  const callees = calleesOf(codebase, program, call);
  return agreed(callees.map((one) => unitOfResult(codebase, one, depth))) ?? unitOfSetting(call, callees);
}

/** Returns the unit of a setting that a call reads by its name, unless the function converts it: `read("TTL_SECONDS")`. */
function unitOfSetting(call: CodeNode, callees: readonly FoundFunction[]): Unit | null {
  const key = argumentsOf(call)[0]?.value;
  const name = key?.kind === "string" ? (key.name ?? "") : "";
  if (!settingName.test(name) || callees.some(({ node }) => isScaling(node))) return null;
  return unitInName(name.slice(name.lastIndexOf(".") + 1));
}

const settingName = /^[A-Za-z]\w*(?:[._]\w+)+$/;

function isScaling(node: CodeNode): boolean {
  for (const { kind, name } of walk(node, functionNodesMax))
    if ((kind === "binary" || kind === "assign") && /^[*/]/.test(name ?? "")) return true;
  return false;
}

/** Returns the unit of what a function returns: that of its name, or else that of its values. */
function unitOfResult(codebase: Codebase, { program, node }: FoundFunction, depth: number): Unit | null {
  const named = unitInFunctionName(ownName(node) ?? "");
  if (named || depth <= 0) return named;
  return agreed(
    returnsOf(program, node).flatMap((value) => (value ? [unitAt(codebase, program, value, depth - 1)] : [])),
  );
}

function unitOfWrites(codebase: Codebase, program: Program, node: CodeNode, depth: number): Unit | null {
  const name = node.name ?? "";
  if (node.kind === "member") return unitOfField(codebase, program, name, depth);
  const binding = resolve(program, name, node);
  if (!binding) return null;
  if (binding.kind === "parameter") {
    if (binding.path.length > 0) return unitOfField(codebase, program, binding.path.at(-1) ?? "", depth);
    return binding.fallback && unitAt(codebase, program, binding.fallback, depth - 1);
  }
  const written = binding.writes.slice(0, writesMax).map(({ value, path, node: write }) => {
    if (!value || write.name === "+=" || write.name === "-=") return null;
    const key = path.at(-1);
    if (key !== undefined) return unitInName(key) ?? unitOfField(codebase, program, key, depth);
    return unitAt(codebase, program, value, depth - 1);
  });
  return agreed(written);
}

/** By language, depth, and name. */
const unitsOfFields = new WeakMap<Codebase, Map<string, Unit | null>>();

/** Returns the unit of the values that the code writes under a name, where all with a unit have the same. */
function unitOfField(codebase: Codebase, program: Program, name: string, depth: number): Unit | null {
  const units = unitsOfFields.get(codebase) ?? new Map<string, Unit | null>();
  unitsOfFields.set(codebase, units);
  const inner = Math.min(depth - 1, fieldDepthMax);
  const key = `${program.dialect.endings} ${inner} ${name}`;
  const known = units.get(key);
  if (known !== undefined) return known;
  const unit = unitWritten(codebase, program, name, inner);
  units.set(key, unit);
  return unit;
}

function unitWritten(codebase: Codebase, { dialect }: Program, name: string, depth: number): Unit | null {
  const written = codebase
    .near()
    .filter((one) => one.dialect === dialect)
    .flatMap((program) =>
      [...(program.fieldWrites.get(name) ?? []), ...(program.entries.get(name) ?? [])]
        .filter(({ path }) => path.length === 0)
        .slice(0, writesMax)
        .map(({ value }) => {
          const unit = value && unitAt(codebase, program, value, depth);
          return value && unit && { lostAt: { program, value, name }, ...unit };
        }),
    );
  return agreed(written);
}

const fieldDepthMax = 3;

function agreed(found: readonly (Unit | null)[]): Unit | null {
  const [first, ...others] = found.filter((unit) => unit !== null);
  return first && others.every((one) => isSameUnit(one, first)) ? first : null;
}
