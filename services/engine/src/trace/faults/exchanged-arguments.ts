import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { CodeSignalArgs } from "../../signals/signal.ts";
import { wordsOfName } from "../../words/name-words.ts";
import { calleesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, isLiteral, keyText, lastName, plain, rootOf, textOf } from "../code/expressions.ts";
import { type FoundFunction, fullName, ownName } from "../code/functions.ts";
import { around, type CodeNode, isWithin, part } from "../code/ir.ts";
import { parameterNames } from "../code/parameters.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { type OwnNode, ownNodesOnTrail } from "./own-nodes.ts";
import { tiesToTrail } from "./ties-to-trail.ts";

/** How many calls of one error are examined. */
const callsMax = 200;
/** Calls with more arguments are written by programs. */
const argumentsMax = 20;
/** How many of them are noted. */
const foundMax = 12;
/** How many calls of one name are compared. */
const othersMax = 60;
/** How many other calls must agree on an order of literals. */
const agreeingMin = 2;
/** What takes its arguments in another order on purpose. */
const reversing = /revers|invert|swap|exchang|descend|opposite|mirror|transpos|flip|rotat|compar|\bback/i;
/** What a function goes back by: it passes what it was given the other way round. */
const returning =
  /undo|revert|revers|invert|repl(?:y|ies)|respon[ds]|refund|roll_?back|restor|give_?back|return|mirror|swap|flip|landscape|portrait/i;
/** Names that say nothing about which argument is which. */
const interchangeable: ReadonlySet<string> = new Set(
  "a b i j k m n p q l r left right first second one other lhs rhs".split(" "),
);

/** Words that several names may end with. */
const general: ReadonlySet<string> = new Set(
  "name names type types kind class id ids key keys value values data info path file code text string list item index number count size length object options args".split(
    " ",
  ),
);

/** Two arguments, by their positions. */
type Pair = readonly [number, number];

interface Call extends OwnNode {
  readonly given: readonly CodeNode[];
}

/** Notes the calls that the error depends on whose arguments are in another order than the parameters. */
export function findExchanged({ codebase, frames }: Failure, trail: Trail): void {
  let count = 0;
  for (const call of callsOnTrail(codebase, frames, trail)) {
    const args = exchangedIn(codebase, call);
    if (!args) continue;
    trail.add({ kind: "exchanged-arguments", args }, placeAt(call.program, call.node), trail.first, 1);
    if (++count === foundMax) return;
  }
}

/** Returns the two arguments of a call that are in each other's place; null if all are in their own. */
function exchangedIn(codebase: Codebase, call: Call): CodeSignalArgs["exchanged-arguments"] | null {
  const { program, node, given } = call;
  if (reversing.test(node.name ?? "")) return null;
  for (const callee of calleesOf(codebase, program, node)) {
    const names = parameterNames(callee.program, callee.node);
    const crossed = crossedByName(given, names) ?? crossedByLiteral(codebase, call, callee, names);
    if (!crossed || isOnPurpose(call, callee) || isBothWays(call, crossed)) continue;
    if (isOverloaded(call, callee)) continue;
    const [first, second] = crossed.map((at) => ({
      code: textOf(given[at] ?? node, program.source),
      as: names[at] ?? "",
    }));
    if (first && second) return { callee: fullName(callee.node) ?? node.name ?? "", first, second };
  }
  return null;
}

/** Returns the calls with several arguments that are on the stack, or that the failing value depends on. */
function callsOnTrail(codebase: Codebase, frames: readonly LocatedFrame[], trail: Trail): Call[] {
  const isTied = tiesToTrail(trail);
  const lines = new Set(frames.flatMap(({ place }) => (place ? `${place.file}:${place.line}` : [])));
  const found: Call[] = [];
  let left = callsMax;
  for (const { program, node } of ownNodesOnTrail(codebase, frames, trail)) {
    const given = node.kind === "call" ? argumentsOf(node) : [];
    if (
      given.length < 2 ||
      given.length > argumentsMax ||
      given.some(({ name, value }) => name !== null || value.kind === "spread")
    )
      continue;
    if (left-- <= 0) return found;
    const isOnStack = lines.has(`${program.source.name}:${program.source.lineAt(node.at)}`);
    if (isOnStack || isTied(program, node)) found.push({ program, node, given: given.map(({ value }) => value) });
  }
  return found;
}

/** Returns whether a function of the same name and file takes the arguments in the order in which they are passed. */
function isOverloaded({ given }: Call, { program, node }: FoundFunction): boolean {
  const name = ownName(node);
  return program.functions.some((other) => {
    if (other === node || ownName(other) !== name) return false;
    const names = parameterNames(program, other);
    return names.length === given.length && crossedByName(given, names) === null;
  });
}

/** Returns whether its function makes the same call the other way round, too: `link(from, to); link(to, from)`. */
function isBothWays({ program: { source, tree, calls }, node, given }: Call, [first, second]: Pair): boolean {
  const [one, other] = [first, second].map((at) => given[at]);
  const scope = around(node, "function") ?? tree;
  if (!one || !other) return false;
  return (calls.get(node.name ?? "") ?? []).slice(0, othersMax).some((call) => {
    const values = argumentsOf(call).map(({ value }) => value);
    const [left, right] = [values[first], values[second]];
    return left && right && isWithin(call, scope) && isSameText(left, other) && isSameText(right, one);
  });

  function isSameText(left: CodeNode, right: CodeNode): boolean {
    return textOf(left, source) === textOf(right, source);
  }
}

/** Returns whether a function calls itself, or exchanges its arguments, as its name says. */
function isOnPurpose({ program, node, given }: Call, callee: FoundFunction): boolean {
  for (let at = around(node, "function"); at !== null; at = at.owner) {
    if (at === callee.node) return true;
    const own = parameterNames(program, at);
    if (returning.test(ownName(at) ?? "")) return true;
    if (reversing.test(ownName(at) ?? "") && given.every((one) => own.includes(plain(one).name))) return true;
  }
  return false;
}

/** Returns two arguments, each with the name of the other's parameter. */
function crossedByName(given: readonly CodeNode[], names: readonly (string | null)[]): Pair | null {
  for (const [first, one] of given.entries()) {
    for (let second = first + 1; second < given.length; second++) {
      const other = given[second];
      const [left, right] = [names[first], names[second]];
      if (!other || !left || !right || interchangeable.has(left) || interchangeable.has(right)) continue;
      const isCrossed = isNamed(one, right) && isNamed(other, left) && !isNamed(one, left) && !isNamed(other, right);
      if (isCrossed) return [first, second];
    }
  }
  return null;
}

/** Returns whether an argument is named like a parameter: `from`, `trip.from`, `fromStation`, or `bear.id` for `bear`. */
function isNamed(argument: CodeNode, parameter: string): boolean {
  const wanted = wordsOfName(parameter);
  const node = plain(argument);
  const name = node.kind === "index" ? keyText(part(node, "key") ?? node) : lastName(node);
  if (name !== null && isContained(wordsOfName(name), wanted)) return true;
  const root = rootOf(node);
  return root !== node && root.kind === "name" && root.name !== null && wordsOfName(root.name).join() === wanted.join();
}

/** Returns whether all words of the shorter name are in the longer one: `zone_name` isn't the same as `name`. */
function isContained(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < long.length && short.every((word) => general.has(word))) return false;
  return short.length > 0 && short.every((word) => long.includes(word));
}

/** Returns a literal and the argument in whose place all other calls of the function have a literal, and none here. */
function crossedByLiteral(
  codebase: Codebase,
  { node, given }: Call,
  callee: FoundFunction,
  names: readonly (string | null)[],
): Pair | null {
  const kinds = given.map(literalKind);
  const at = kinds.findIndex((kind) => kind !== null);
  if (at < 0) return null;
  const others = otherCalls(codebase, node, callee).map((one) =>
    argumentsOf(one).map(({ value }) => literalKind(value)),
  );
  if (others.length < agreeingMin) return null;
  const isThere = (position: number): boolean =>
    !interchangeable.has(names[position] ?? "") &&
    kinds[position] === null &&
    others.every((one) => one[position] === kinds[at] && one[at] === null);
  const position = kinds.findIndex((_, index) => index !== at && isThere(index));
  return position < 0 ? null : position < at ? [position, at] : [at, position];
}

function literalKind(argument: CodeNode): string | null {
  const { kind } = plain(argument);
  return isLiteral(argument) && (kind === "number" || kind === "string") ? kind : null;
}

function otherCalls(codebase: Codebase, call: CodeNode, callee: FoundFunction): CodeNode[] {
  return codebase
    .own()
    .flatMap((program) => (program.calls.get(call.name ?? "") ?? []).map((node) => ({ program, node })))
    .slice(0, othersMax)
    .filter(
      ({ program, node }) =>
        node !== call && calleesOf(codebase, program, node).some((one) => one.node === callee.node),
    )
    .map(({ node }) => node);
}
