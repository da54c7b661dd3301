import type { LocatedException } from "../../../findings/located-frame.ts";
import type { Codebase } from "../../code/codebase.ts";
import { argumentsOf, lastName, plain, textOf } from "../../code/expressions.ts";
import { ownName, returnsOf } from "../../code/functions.ts";
import { around, type CodeNode, functionNodesMax, part, walk } from "../../code/ir.ts";
import type { Program } from "../../code/program.ts";
import type { Failure } from "../../failure.ts";
import { placeAt, type Said, type Trail } from "../../follow/trail.ts";
import { nodeOnLine } from "../../frames/stack-calls.ts";
import { type Expected, expectedOfCall, expectedOfName } from "./expected-units.ts";
import { numberOf, unitAt } from "./measured.ts";
import { type Dimension, isSameUnit, type Unit, unitInFunctionName, unitName, unitsInRate } from "./units.ts";

/** A place where two units meet. */
interface Mix {
  readonly program: Program;
  readonly node: CodeNode;
  readonly dimension: Dimension;
  readonly args: (Said & { readonly kind: "mixed-units" })["args"];
}

/** More mixes than this show that the names mean something else here. */
const mixesMax = 3;
const nodesMax = 60_000;

/** What an error says that is about a quantity of each dimension. */
const about: Readonly<Record<Dimension, RegExp>> = {
  time: /time|\babort|deadline|expir|\bold\b|\bage\b|\blate|\bearly|future|\bpast\b|ahead|\bago\b|stale|\bdate\b|duration|interval|delay|\bttl\b|valid|ended|\bwait|within|\d ?(?:ms|s|sec|seconds|minutes|hours|days)\b|\b401\b|\b403\b/i,
  money:
    /amount|price|total|cents|charge|pay|budget|limit|funds|balance|refund|deposit|currency|small|large|integer|minimum|maximum|below|over|exceed/i,
  size: /size|byte|large|\bbig\b|\blong\b|memory|quota|limit|length|\b[kMG]i?B\b|exceed|too m/i,
};

const dimensions: readonly Dimension[] = ["time", "money", "size"];

/**
 * Notes where a quantity in one unit meets another unit of its kind, by names, well-known calls, and conversions, if the
 * error is about such a quantity and the functions on the stack use it.
 */
export function findMixedUnits({ codebase, said, chain }: Failure, trail: Trail): void {
  const asked = dimensions.filter((dimension) => about[dimension].test(said));
  if (asked.length === 0 || chain.some(({ exception }) => ofRuntime.test(exception.type))) return;
  const used = namesUsed(codebase, chain);
  const programs = codebase.own();
  const mixes = programs.flatMap((program) => mixesIn(codebase, program));
  const fitting = mixes.filter((mix) => asked.includes(mix.dimension) && (used === null || isUsed(mix, used)));
  const certain = fitting.filter(({ args }) => args.how !== "tiny");
  const found = certain.length > 0 ? certain : fitting;
  if (found.length > mixesMax) return;
  for (const { program, node, args } of found) trail.add({ kind: "mixed-units", args }, placeAt(program, node), null);
}

/** Errors of the runtime about a type, a name, or a key, whatever the amount. */
const ofRuntime =
  /^(?:TypeError|ReferenceError|SyntaxError|NameError|UnboundLocalError|AttributeError|KeyError|IndexError|ImportError|ModuleNotFoundError|RuntimeError|(?:java\.lang\.)?(?:NullPointer|ClassCast|UnsupportedOperation|ArrayIndexOutOfBounds)\w*|NoMethodError|FrozenError)$/;

/** Returns whether the functions on the stack use what a mix is about: its function, what it is set to, or its name. */
function isUsed({ node, args }: Mix, used: ReadonlySet<string>): boolean {
  if (args.how === "tiny" || args.how === "rate") return used.has(args.code);
  const names: (string | null)[] = [lastName(node), args.other, args.keptAs];
  for (let at: CodeNode | null = node; at !== null; at = at.parent) {
    names.push(at.kind === "function" ? ownName(at) : at.kind === "declare" || at.kind === "entry" ? at.name : null);
    if (at.kind === "assign") names.push(lastName(part(at, "target") ?? at));
  }
  return names.some((name) => name !== null && used.has(name));
}

/** Returns every name in the functions on the stack; null where none of them is the service's own. */
function namesUsed(codebase: Codebase, chain: readonly LocatedException[]): ReadonlySet<string> | null {
  const own = chain.flatMap(({ frames }) =>
    frames.flatMap(({ place }) => {
      const program = place && codebase.of(place.source);
      return place && program && !program.isInstalled ? [nodeOnLine(program, place)] : [];
    }),
  );
  if (own.length === 0) return null;
  const names = own.flatMap((node) => {
    const outer = around(node, "function");
    return [outer && ownName(outer), ...[...walk(outer ?? node, functionNodesMax)].map(({ name }) => name)];
  });
  return new Set(names.filter((name) => name !== null));
}

function mixesIn(codebase: Codebase, program: Program): Mix[] {
  const found: Mix[] = [];
  for (const node of walk(program.tree, nodesMax)) {
    if (node.kind === "binary") found.push(...comparedIn(codebase, program, node));
    else if (node.kind === "call") found.push(...givenIn(codebase, program, expectedIn(codebase, program, node)));
    else if (node.kind === "declare" || node.kind === "assign" || node.kind === "entry" || node.kind === "parameter") {
      const expected = expectedOfName(node);
      found.push(...givenIn(codebase, program, expected), ...expected.flatMap((one) => tinyIn(program, node, one)));
      found.push(...rateIn(program, node));
    } else if (node.kind === "function") found.push(...givenIn(codebase, program, returnedBy(program, node)));
  }
  return found;
}

function expectedIn(codebase: Codebase, program: Program, call: CodeNode): Expected[] {
  const hasUnit = argumentsOf(call).some(({ value }) => unitAt(codebase, program, value) !== null);
  return hasUnit ? expectedOfCall(codebase, program, call) : [];
}

function returnedBy(program: Program, node: CodeNode): Expected[] {
  const name = ownName(node);
  const unit = name === null ? null : unitInFunctionName(name);
  if (!unit || name === null) return [];
  return returnsOf(program, node).flatMap((value) => (value ? [{ value, unit, by: name }] : []));
}

function givenIn(codebase: Codebase, program: Program, expected: readonly Expected[]): Mix[] {
  return expected.flatMap(({ value, unit, by }) => {
    const has = unitAt(codebase, program, value);
    if (!differ(has, unit)) return [];
    return mixOf(program, value, "given", { code: textOf(value, program.source), has }, { code: by, has: unit });
  });
}

const comparing: ReadonlySet<string> = new Set("+ - < > <= >= == === != !== ?? ||".split(" "));

function comparedIn(codebase: Codebase, program: Program, node: CodeNode): Mix[] {
  const [left, right] = [part(node, "left"), part(node, "right")];
  if (!left || !right || !comparing.has(node.name ?? "")) return [];
  const [one, other] = [unitAt(codebase, program, left), unitAt(codebase, program, right)];
  if (!differ(one, other)) return [];
  const isComparison = /[<>=]/.test(node.name ?? "");
  return mixOf(
    program,
    node,
    isComparison ? "compared" : "combined",
    { code: textOf(left, program.source), has: one },
    { code: textOf(right, program.source), has: other },
  );
}

function differ(one: Unit | null, other: Unit | null): one is Unit {
  return one !== null && other !== null && one.dimension === other.dimension && !isSameUnit(one, other);
}

interface Side {
  readonly code: string;
  readonly has: Unit | null;
}

function mixOf(program: Program, node: CodeNode, how: Mix["args"]["how"], one: Side, other: Side): Mix[] {
  if (!one.has || !other.has) return [];
  const { dimension } = one.has;
  const [lost, met] = one.has.lostAt ? [one, other] : [other, one];
  const from = lost.has?.lostAt;
  const [code, units] = [from ? textOf(from.value, from.program.source) : one.code, from ? [lost, met] : [one, other]];
  const [unit = null, otherUnit = null] = units.map(({ has }) => has && unitName(has));
  const args = { how, code, unit, other: from ? met.code : other.code, otherUnit, keptAs: from?.name ?? null };
  return [{ program: from?.program ?? program, node: from?.value ?? node, dimension, args }];
}

/** Returns a constant such as `msPerDay` whose number isn't what its name says. */
function rateIn(program: Program, node: CodeNode): Mix[] {
  const name = node.kind === "assign" ? (part(node, "target")?.name ?? "") : (node.name ?? "");
  const rate = unitsInRate(name);
  const value = part(node, "value");
  const number = value && numberOf(value);
  if (!rate || !number) return [];
  const { dimension } = rate.of;
  if (isSameUnit({ dimension, size: rate.of.size * number }, rate.per)) return [];
  const args = {
    how: "rate",
    code: name,
    unit: unitName(rate.of),
    other: String(number),
    otherUnit: unitName(rate.per),
    keptAs: null,
  } as const;
  return [{ program, node, dimension, args }];
}

/** Bounds that are next to nothing in the unit that their name states: 60 ms to keep a session, 4 bytes for a text. */
const tiny: readonly (readonly [Dimension, number, RegExp])[] = [
  ["time", 120, /timeout|\bage|_age|Age|ttl|lifetime|expir|valid|hold|window|session|deadline/i],
  ["size", 64, /max|limit|size|capacity|quota/i],
];

function tinyIn(program: Program, node: CodeNode, { value, unit, by }: Expected): Mix[] {
  const number = literalIn(value);
  if (unit.size !== 1 || number === null || number <= 0) return [];
  const isTiny = tiny.some(
    ([dimension, most, names]) => dimension === unit.dimension && number <= most && names.test(by),
  );
  const args = {
    how: "tiny",
    code: by,
    unit: unitName(unit),
    other: String(number),
    otherUnit: null,
    keptAs: null,
  } as const;
  return isTiny ? [{ program, node, dimension: unit.dimension, args }] : [];
}

/** Returns the number of a literal, also of one that stands in for a setting: `Number(env.X ?? 30)`. */
function literalIn(value: CodeNode): number | null {
  const node = plain(value);
  const number = numberOf(node);
  if (number !== null) return number;
  if (node.kind === "string") return /^\d{1,9}$/.test(node.name ?? "") ? Number(node.name) : null;
  if (node.kind === "call" && /^(?:Number|parseInt|int|float|parseFloat)$/.test(lastName(node) ?? "")) {
    const [first] = argumentsOf(node);
    return first ? literalIn(first.value) : null;
  }
  const right = node.kind === "binary" && ["??", "||", "or"].includes(node.name ?? "") ? part(node, "right") : null;
  return right && literalIn(right);
}
