import type { CodeSignalArgs } from "../../../signals/signal.ts";
import { calleesOf } from "../../code/calls.ts";
import type { Codebase } from "../../code/codebase.ts";
import { argumentsOf, plain, receiverOf, textOf } from "../../code/expressions.ts";
import { type CodeNode, part, walk } from "../../code/ir.ts";
import type { Program } from "../../code/program.ts";
import { resolve } from "../../code/scopes.ts";
import { isLength, setOnce } from "./elements-past-end.ts";
import { isFound } from "./index-uses.ts";
import { mayBeNegative } from "./negative-numbers.ts";

type How = CodeSignalArgs["computed-index"]["how"];

/** Returns how a number is computed that may be out of range as an index; null for any other. */
export function howComputed({ dialect }: Program, node: CodeNode): How | null {
  switch (node.kind) {
    case "call":
      if (dialect.calls.finding.has(node.name ?? "")) return "not-found";
      if (dialect.calls.bounding.has(node.name ?? "")) return isSearchBeyond(node) ? "not-found-at-end" : null;
      return isRounding(node) ? "rounded" : null;
    case "binary":
      if (node.name === "%") return dialect.remaindersAreSigned ? "negative-remainder" : null;
      return node.name === "<=" ? "past-end" : null;
    case "unary":
    case "number":
      return isMinusOne(node) && isSentinel(node) ? "not-found" : null;
    default:
      return null;
  }
}

/** Returns whether a number can be out of range, as far as the code shows; `wasNegative` says that the failing index was. */
export function mayBeOutOfRange(codebase: Codebase, program: Program, node: CodeNode, wasNegative: boolean): boolean {
  if (node.kind === "binary" && node.name === "%") return isNegative(codebase, program, node, wasNegative);
  if (node.kind === "call" && isRounding(node)) return ![...walk(node, conditionNodesMax)].some(isLastIndex);
  if (node.kind !== "call") return true;
  return calleesOf(codebase, program, node).length === 0 && !isFound(program, node);
}

/**
 * Returns whether a search is for what comes after a value, rather than for the value or what comes after it: to use
 * that as the index of the value is off by one.
 */
function isSearchBeyond(call: CodeNode): boolean {
  return [...walk(call, conditionNodesMax)].every(({ kind, name }) => kind !== "binary" || !/^[<>]=$/.test(name ?? ""));
}

const conditionNodesMax = 200;
const rounding = /^(?:[Rr]ound|[Cc]eil)$/;

/** Returns whether a call rounds a number to the nearest integer, or up: `Math.round(x)`, `x.round`. */
function isRounding(call: CodeNode): boolean {
  if (!rounding.test(call.name ?? "")) return false;
  const given = argumentsOf(call);
  const of = given.length === 0 ? receiverOf(call) : given.length === 1 ? given[0]?.value : null;
  return of !== null && of !== undefined;
}

/** `list.length - 1` */
function isLastIndex(node: CodeNode): boolean {
  const left = node.kind === "binary" && node.name === "-" ? part(node, "left") : null;
  return left !== null && isLength(left);
}

/** Returns whether the remainder of a number may be negative, and nothing adds the divisor before it is taken. */
function isNegative(codebase: Codebase, program: Program, node: CodeNode, wasNegative: boolean): boolean {
  const [left, right] = [part(node, "left"), part(node, "right")];
  if (!left || !right) return false;
  const divisor = textOf(right, program.source);
  if (textOf(left, program.source).includes(divisor) || hasCopyOf(program, left, right)) return false;
  return (wasNegative && !isParameter(program, left)) || mayBeNegative(codebase, program, left, divisor);
}

/** Returns whether a number has the divisor in it under another name: `(at - 1 + size) % list.length`. */
function hasCopyOf(program: Program, number: CodeNode, divisor: CodeNode): boolean {
  const isIt = (one: CodeNode): boolean => textOf(setOnce(program, one), program.source) === wanted;
  const wanted = textOf(setOnce(program, plain(divisor)), program.source);
  return [...walk(number, conditionNodesMax)].some((one) => one !== number && one.kind === "name" && isIt(one));
}

/** Returns whether a number was passed as it is: what passes it is then what is wrong. */
function isParameter(program: Program, node: CodeNode): boolean {
  return node.kind === "name" && resolve(program, node.name ?? "", node)?.kind === "parameter";
}

function isMinusOne(node: CodeNode): boolean {
  const operand = part(node, "operand");
  return node.name === "-1" || (node.name === "-" && operand?.kind === "number" && operand.name === "1");
}

/** Returns whether a number is returned where nothing was found. */
function isSentinel({ role, parent }: CodeNode): boolean {
  if (parent?.kind === "return") return true;
  return parent?.kind === "binary" && role === "right" && /^(?:\|\||\?\?|or)$/.test(parent.name ?? "");
}
