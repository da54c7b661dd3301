import ts from "typescript";
import { findBinding } from "./bindings.ts";
import { plain } from "./expressions.ts";
import { functionAround } from "./functions.ts";
import { type CallNode, isFunction, lastName, type Program } from "./program.ts";
import { textOf, visit, within } from "./walk.ts";

/** Something taken that is not given back on every way out. */
export interface UnreleasedResource {
  readonly program: Program;
  readonly node: ts.Node;
  /** `pool.acquire` */
  readonly acquire: string;
  /** The way out that skips the release; null when nothing releases it. */
  readonly leavesAt: ts.Node | null;
}

/** Each is looked for to the end of its function, so a file of nothing else would cost the square of its length. */
const callsMax = 40;
const acquiring: ReadonlySet<string> = new Set(
  "acquire connect getConnection checkout take borrow lease reserve lock open openSync createReadStream createWriteStream getClient obtain watch".split(
    " ",
  ),
);
const releasing: ReadonlySet<string> = new Set(
  "release destroy end close closeSync free unlock giveBack put checkin returnToPool dispose unwatch".split(" "),
);

/** What functions take (`pool.acquire()`, `open()`) and do not release, or release only on the way without an error. */
export function findUnreleased(program: Program): UnreleasedResource[] {
  const calls = [...acquiring].flatMap((name) => program.calls.get(name) ?? []);
  return calls.slice(0, callsMax).flatMap((call) => leakOf(program, call) ?? []);
}

function leakOf(program: Program, call: CallNode): UnreleasedResource | null {
  const owner = functionAround(call);
  const declared = declarationOf(call);
  if (!owner || !declared || !ts.isIdentifier(declared.name) || isUsing(declared)) return null;
  const name = declared.name.text;
  const binding = findBinding(program, name, declared);
  const uses: ts.Identifier[] = [];
  visit(owner.body, (node) => {
    if (
      ts.isIdentifier(node) &&
      node.text === name &&
      node.pos > declared.end &&
      findBinding(program, name, node) === binding
    )
      uses.push(node);
  });
  const base = { program, node: call, acquire: textOf(call.expression) };
  const release = uses.map(releaseBy).find((one) => one !== null);
  if (!release) return uses.some(isHandedOn) ? null : { ...base, leavesAt: null };
  if (isInFinally(release, owner)) return null;
  return { ...base, leavesAt: exitBetween(owner.body, declared.end, release.pos) };
}

function declarationOf(call: CallNode): ts.VariableDeclaration | null {
  let node: ts.Node = call.parent;
  while (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) node = node.parent;
  return ts.isVariableDeclaration(node) && node.initializer && plain(node.initializer).node === call ? node : null;
}

function isUsing(declared: ts.VariableDeclaration): boolean {
  return (declared.parent.flags & ts.NodeFlags.Using) === ts.NodeFlags.Using;
}

/** `name.release()`, `pool.release(name)`, and either handed over as a callback: `stream.on("end", name.release)`. */
function releaseBy(use: ts.Identifier): ts.Node | null {
  const { parent } = use;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === use && releasing.has(parent.name.text))
    return parent;
  const isWith = ts.isCallExpression(parent) && parent.arguments.includes(use);
  return isWith && releasing.has(lastName(parent.expression) ?? "") ? parent : null;
}

/** Returned, kept in a field or a collection: whoever gets it must release it. */
function isHandedOn(use: ts.Identifier): boolean {
  let node: ts.Node = use;
  while (
    ts.isParenthesizedExpression(node.parent) ||
    ts.isPropertyAssignment(node.parent) ||
    ts.isShorthandPropertyAssignment(node.parent) ||
    ts.isObjectLiteralExpression(node.parent) ||
    ts.isArrayLiteralExpression(node.parent)
  )
    node = node.parent;
  const { parent } = node;
  if (ts.isReturnStatement(parent) || (isFunction(parent) && parent.body === node)) return true;
  if (ts.isBinaryExpression(parent) && parent.right === node) return !ts.isIdentifier(parent.left);
  return (
    ts.isCallExpression(parent) && /^(?:push|add|set|resolve|pipe|pipeline)$/.test(lastName(parent.expression) ?? "")
  );
}

/** In a `finally` block, or in a function that is given to somebody to call. */
function isInFinally(node: ts.Node, owner: ts.Node): boolean {
  for (let at = node; at !== owner && at.parent !== undefined; at = at.parent) {
    if (ts.isTryStatement(at.parent) && at.parent.finallyBlock === at) return true;
    if (isFunction(at)) return true;
  }
  return false;
}

/** A `return`, `throw` or `await` between taking and giving back: after it nothing is released. */
function exitBetween(body: ts.Node, from: number, to: number): ts.Node | null {
  const between = (node: ts.Node): boolean => node.pos >= from && node.end <= to;
  const leaves = within(
    body,
    (node): node is ts.Statement => ts.isReturnStatement(node) || ts.isThrowStatement(node),
  ).find(between);
  return leaves ?? within(body, ts.isAwaitExpression).find(between) ?? null;
}
