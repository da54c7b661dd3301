import ts from "typescript";
import type { ValueSource } from "../../../findings.ts";
import { receiverOf } from "./bindings.ts";
import { isLiteral, plain } from "./expressions.ts";
import { type CallNode, isFunction, lastName } from "./program.ts";
import { around, textOf } from "./walk.ts";

/** Calls that read the body of an answer, or of what a server is asked. */
const bodyReaders: ReadonlySet<string> = new Set("json text arrayBuffer blob buffer formData".split(" "));
/** What servers call what they are asked; clients hand it over, and read the answer. */
const asked = /^(?:req|request|incoming(?:Message)?)$/;
/** Calls that give nothing when they find nothing. */
export const lookups: ReadonlySet<string> = new Set("find get match exec pop shift at getItem findLast".split(" "));
/** Calls of which the answer comes from outside this process. */
const outside: ReadonlySet<string> = new Set(
  "fetch json text arrayBuffer query request readFile readFileSync".split(" "),
);
/** Calls that hand on what they are given: the fault is in what they got. */
export const handOn: ReadonlySet<string> = new Set(
  "Number String Boolean parseInt parseFloat BigInt Date URL RegExp Array Buffer Error from trim toString toLowerCase toUpperCase join resolve normalize dirname filter slice sort reverse flat concat split values keys entries fromEntries assign freeze stringify encodeURIComponent decodeURIComponent atob btoa max min floor ceil round replace replaceAll repeat padStart padEnd all allSettled race timeout parse".split(
    " ",
  ),
);
/** Calls that turn a value into another: where they cut or convert wrongly, a good value becomes a bad one. */
const computing: ReadonlySet<string> = new Set(
  "slice substring substr charAt Number parseInt parseFloat Boolean atob btoa toFixed getMonth getDay getDate getTimezoneOffset escape unescape".split(
    " ",
  ),
);
/** Calls that give what they are called on, in another order or a part of it. */
export const sameElements: ReadonlySet<string> = new Set(
  "filter slice sort toSorted reverse toReversed concat flat then catch finally padStart padEnd trim toString toUpperCase toLowerCase replace split join".split(
    " ",
  ),
);
/** Calls whose value is what the function they are given returns. */
export const callbackCalls: ReadonlySet<string> = new Set(["map", "flatMap", "then", "catch", "run", "transaction"]);
/** Calls that hand the elements of what they are called on to the function they are given, and at which position. */
const elementCalls: ReadonlyMap<string, number> = new Map([
  ...["map", "flatMap", "forEach", "filter", "find", "findIndex", "findLast", "some", "every", "sort", "then"].map(
    (name) => [name, 0] as const,
  ),
  ["reduce", 1],
  ["reduceRight", 1],
]);

/** The collection, or the promise, whose element a callback is given at a position; null when it is no such callback. */
export function handedOutBy(call: CallNode, parameter: number): ts.Expression | null {
  const name = lastName(call.expression);
  const position = name === null ? undefined : elementCalls.get(name);
  const isElement = position === parameter || (name === "sort" && parameter === 1);
  const { node } = plain(call.expression);
  return isElement && ts.isPropertyAccessExpression(node) ? node.expression : null;
}

/** What a call that cannot be looked into is known for. */
export function kindOfCall(call: CallNode, isAwaited: boolean): ValueSource {
  const name = lastName(call.expression) ?? "";
  if (call.expression.getText() === "JSON.parse") return "parsed-text";
  if (name.startsWith("readFile") && /config|settings?|defaults?|\benv/i.test(textOf(call, 200))) return "data";
  if (isAwaited && bodyReaders.has(name) && isOfRequest(call)) return "incoming-body";
  if (outside.has(name) && (isAwaited || name.endsWith("Sync"))) return "outside-answer";
  if (lookups.has(name)) return "lookup";
  if (computing.has(name)) return "computed";
  return isAwaited ? "awaited-call" : "call";
}

/** `request.json()`, `context.req.json()`, `json(request)`. */
function isOfRequest(call: CallNode): boolean {
  const of = call.arguments?.[0] ?? receiverOf(plain(call.expression).node);
  return of !== null && asked.test(lastName(of) ?? "");
}

/** Inside `for (…; i <= n; …)`: the loop runs once more than there are elements, when `n` is their number. */
export function loopTooFar(node: ts.Node): ts.ForStatement | null {
  const loop = around(node, (one): one is ts.ForStatement => ts.isForStatement(one) || isFunction(one));
  if (!loop || !ts.isForStatement(loop) || !loop.condition || !ts.isBinaryExpression(loop.condition)) return null;
  const { operatorToken, left, right } = loop.condition;
  if (operatorToken.kind !== ts.SyntaxKind.LessThanEqualsToken || isLiteral(right)) return null;
  if (/(?:-\s*1|last)/i.test(right.getText())) return null;
  const declared =
    loop.initializer && ts.isVariableDeclarationList(loop.initializer) ? loop.initializer.declarations[0] : null;
  const begin = declared?.initializer?.getText();
  const isCounter = declared?.name.getText() === left.getText();
  return isCounter && begin !== "1" ? loop : null;
}
