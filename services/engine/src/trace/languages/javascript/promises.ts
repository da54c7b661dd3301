import ts from "typescript";
import { findBinding } from "./bindings.ts";
import { functionFor } from "./calls.ts";
import { plain } from "./expressions.ts";
import { functionAround } from "./functions.ts";
import { type FunctionNode, isFunction, lastName, type Program } from "./program.ts";
import type { Programs } from "./programs.ts";
import { within } from "./walk.ts";

/** A promise that nobody waits for. */
export interface UnawaitedCall {
  readonly program: Program;
  readonly node: ts.Node;
  readonly callee: string;
  /** `forgotten`: the call stands alone; `used`: the promise is used as if it were its value; `each`: of an async callback. */
  readonly how: "forgotten" | "used" | "each";
  /** The asynchronous function, when it was given. */
  readonly target: FunctionNode | null;
}

/** Calls known to give a promise, whoever defines them. */
const promising: ReadonlySet<string> = new Set(["fetch", "json", "arrayBuffer"]);
const handling: ReadonlySet<string> = new Set(["then", "catch", "finally"]);
/** They call a function for each element and look at nothing that it returns. */
const deaf: ReadonlySet<string> = new Set(["forEach"]);
/** More than these in one file say nothing about any of them. */
const callsMax = 50;
const callsLookedAtMax = 60;

/** Calls of asynchronous functions that are not awaited, not returned and not given to anybody. */
export function findUnawaited(programs: Programs, program: Program): UnawaitedCall[] {
  const found: UnawaitedCall[] = [];
  let looked = 0;
  for (const calls of program.calls.values()) {
    for (const call of calls) {
      if (found.length >= callsMax || looked > callsLookedAtMax) return found;
      if (!ts.isCallExpression(call)) continue;
      const each = unheardCallback(call);
      if (each) found.push({ program, node: call, callee: lastName(call.expression) ?? "", how: "each", target: each });
      // To see how a promise is used costs a look at its whole function.
      if (ts.isVariableDeclaration(call.parent)) looked++;
      const neglected = neglect(program, call);
      if (neglected === null) continue;
      const callee = lastName(call.expression) ?? "";
      const target = functionFor(programs, program, call.expression)?.node ?? null;
      const isPromise = target ? givesPromise(target) : promising.has(callee) && hasMember(call);
      if (isPromise) found.push({ program, node: call, callee, how: neglected, target });
    }
  }
  return found;
}

/** Whether `fetch` and the like are meant, or something else of the name. */
function hasMember(call: ts.CallExpression): boolean {
  return ts.isPropertyAccessExpression(call.expression) || lastName(call.expression) === "fetch";
}

/** Whether a function always returns a promise. */
export function givesPromise(node: FunctionNode): boolean {
  if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword))
    return true;
  const first = ts.isBlock(node.body) ? within(node.body, ts.isReturnStatement).at(-1)?.expression : node.body;
  if (!first) return false;
  const { node: value } = plain(first);
  return ts.isNewExpression(value) && lastName(value.expression) === "Promise";
}

function unheardCallback(call: ts.CallExpression): FunctionNode | null {
  const [first] = call.arguments;
  if (!first || !deaf.has(lastName(call.expression) ?? "") || !isFunction(first)) return null;
  return givesPromise(first) && within(first.body, ts.isAwaitExpression).length > 0 ? first : null;
}

function neglect(program: Program, call: ts.CallExpression): "forgotten" | "used" | null {
  const { parent } = call;
  if (ts.isExpressionStatement(parent)) return "forgotten";
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent))
    return handling.has(lastName(parent) ?? "") ? null : "used";
  const isDeclared = ts.isVariableDeclaration(parent) && parent.initializer === call;
  return isDeclared && isUsedAsValue(program, parent) ? "used" : null;
}

/** `const name = f();` and then `name.property`, with no `await name` in between; or taken apart at once. */
function isUsedAsValue(program: Program, declared: ts.VariableDeclaration): boolean {
  const { name } = declared;
  if (!ts.isIdentifier(name)) return ts.isObjectBindingPattern(name);
  const scope = functionAround(declared)?.body ?? program.tree;
  const binding = findBinding(program, name.text, declared);
  const uses = within(scope, ts.isIdentifier).filter(
    (node) => node.text === name.text && node.pos > declared.end && findBinding(program, node.text, node) === binding,
  );
  for (const { parent } of uses) {
    if (ts.isAwaitExpression(parent)) return false;
    if (!ts.isPropertyAccessExpression(parent) && !ts.isElementAccessExpression(parent)) return false;
    return !handling.has(lastName(parent) ?? "");
  }
  return false;
}
