import type { AnyCodeSignal, CodeSignal } from "../../signals/signal.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, keyText, textOf } from "../code/expressions.ts";
import { type CodeNode, functionNodesMax, part, walk } from "../code/ir.ts";
import type { Program, Write } from "../code/program.ts";
import { constantOf } from "../follow/sql-statements.ts";
import { leadsTo, placeAt, type Trail } from "../follow/trail.ts";

/** How validators name a lowest value that is itself accepted. */
const lowest: ReadonlySet<string> = new Set(
  "min ge gte min_value minimum minValue greater_than_or_equal_to".split(" "),
);
/** Calls whose argument is that value. */
const boundCalls: ReadonlySet<string> = new Set("MinValueValidator min gte ge Min DecimalMin nonnegative".split(" "));
/** How many declarations of a field are looked at in a file. */
const declarationsMax = 20;
const fieldsMax = 8;
/** If more places set a bound of the field, none of them is more likely than the others. */
const boundsMax = 3;

/** Notes where 0 is accepted for a field, if the failing code divides by 0 and gets its divisor from that field. */
export function findAdmittedZeros(codebase: Codebase, trail: Trail): void {
  const signals = trail.signals();
  const symptom = signals.find(isDivision);
  if (!symptom) return;
  const found = fieldsBehind(signals, symptom).flatMap((field) =>
    codebase
      .own()
      .flatMap((program) => boundsOf(program, field).map(({ node, code }) => ({ program, field, node, code }))),
  );
  if (found.length > boundsMax) return;
  for (const { program, field, node, code } of found) {
    const args = { field, code, divisor: symptom.args.expression };
    trail.add({ kind: "admitted-zero", args }, placeAt(program, node), symptom);
  }
}

function isDivision(signal: AnyCodeSignal): signal is CodeSignal<"bad-value"> {
  return signal.kind === "bad-value" && signal.args.use === "divide" && /^0(?:\.0+)?$/.test(signal.args.was);
}

/** Returns the fields that the divisor is read or computed from, in code that leads to it. */
function fieldsBehind(signals: readonly AnyCodeSignal[], symptom: CodeSignal<"bad-value">): string[] {
  const read = signals.flatMap((signal) => {
    if (signal.kind !== "value-step" || !leadsTo(signal, symptom) || signal.subject.file !== symptom.subject.file)
      return [];
    const { how, name, path = [] } = signal.args;
    return how === "property" ? [path.length > 1 ? (path.at(-1) ?? name) : name] : [];
  });
  const own = symptom.args.path ?? [];
  const names = new Set([...(own.length > 1 ? own.slice(-1) : []), ...read]);
  return [...names].filter((name) => /^[A-Za-z_]\w+$/.test(name)).slice(0, fieldsMax);
}

interface Bound {
  readonly node: CodeNode;
  readonly code: string;
}

/** Returns the bounds of a field that accept 0: in what declares it, or in what that names. */
function boundsOf(program: Program, field: string): Bound[] {
  const writes = [...(program.entries.get(field) ?? []), ...(program.fieldWrites.get(field) ?? [])];
  const found = writes
    .filter(isDeclared)
    .slice(0, declarationsMax)
    .flatMap(({ value, node }) => {
      const bounds = [...(value ? [value] : []), node].flatMap((root) => boundsIn(program, root));
      return bounds.slice(0, 1);
    });
  return [...new Map(found.map((bound) => [bound.node, bound])).values()];
}

/** A field whose rules are an object or a call: an assignment of a value sets no rules. */
function isDeclared({ value }: Write): boolean {
  return value !== null && (value.kind === "call" || value.kind === "object" || value.kind === "list");
}

function boundsIn(program: Program, root: CodeNode): Bound[] {
  const nodes = [...walk(root, functionNodesMax)];
  const named = nodes.flatMap((node) => (node.kind === "name" ? [constantIn(program, node)] : []));
  const all = [...nodes, ...named.flatMap((node) => (node ? [...walk(node, functionNodesMax)] : []))];
  return all.flatMap((node) => {
    if (!acceptsZero(node)) return [];
    const call = node.kind === "entry" && node.parent?.kind === "call" ? node.parent : node;
    return [{ node: call, code: textOf(call, program.source, codeUnitsMax) }];
  });
}

const codeUnitsMax = 60;

function constantIn(program: Program, name: CodeNode): CodeNode | null {
  const value = constantOf(program, name);
  if (value !== name) return value;
  const [only, ...others] = program.fieldWrites.get(name.name ?? "") ?? [];
  return only?.on === null && others.length === 0 ? only.value : null;
}

function acceptsZero(node: CodeNode): boolean {
  if (node.kind === "entry") {
    const value = part(node, "value");
    return lowest.has(node.name ?? "") && value !== null && isZero(value);
  }
  if (node.kind !== "call" || !boundCalls.has(node.name ?? "")) return false;
  const [first] = argumentsOf(node);
  return node.name === "nonnegative" || (first !== undefined && isZero(first.value));
}

function isZero(node: CodeNode): boolean {
  return node.kind === "number" && /^0(?:\.0*)?$/.test(keyText(node) ?? "");
}
