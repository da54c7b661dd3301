import ts from "typescript";
import { inlineCode } from "../../../../prose.ts";
import { findBinding, receiverOf } from "../bindings.ts";
import { isNullish, plain } from "../expressions.ts";
import { functionAround } from "../functions.ts";
import { type FunctionNode, lastName, nodesIn, type Program } from "../program.ts";
import { textOf, within } from "../walk.ts";
import { callsNamed, type Find, type Rule } from "./rule.ts";

const writesMax = 300;
/** Checks of one function. */
const testsMax = 20;
const adding = ["push", "set", "add", "unshift"];
const removing = ["delete", "clear", "shift", "pop", "splice", "prune", "evict"];

/** A collection that outlives the calls which fill it, and from which nothing is ever removed. */
export const onlyGrows: Rule = {
  name: "only-grows",
  find: (program) =>
    callsNamed(program, ...adding).flatMap((call): Find[] => {
      const on = receiverOf(plain(call.expression).node);
      if (!on || !functionAround(call) || !outlives(program, on) || isReduced(program, on)) return [];
      const name = inlineCode(textOf(on));
      return [
        {
          node: call,
          subject: textOf(on),
          says: `${name} is filled here and nothing is ever removed from it: it has no limit and only grows`,
          remedy: `Give ${name} a limit, or remove what is no longer needed.`,
        },
      ];
    }),
};

/** A variable of the module, or a member that is made once. */
function outlives(program: Program, on: ts.Expression): boolean {
  if (receiverOf(on)?.kind === ts.SyntaxKind.ThisKeyword) return true;
  if (!ts.isIdentifier(on)) return false;
  const binding = findBinding(program, on.text, on);
  return binding?.kind === "variable" && functionAround(binding.node) === null;
}

function isReduced(program: Program, on: ts.Expression): boolean {
  const text = textOf(on);
  const isRemoved = callsNamed(program, ...removing).some(
    (call) => textOf(receiverOf(plain(call.expression).node) ?? call) === text,
  );
  const isReplaced = (program.writes.get(lastName(on) ?? "") ?? [])
    .slice(0, writesMax)
    .some(({ target }) => textOf(target) === text && functionAround(target) !== null && !isInConstructor(target));
  const isCut = (program.writes.get("length") ?? [])
    .slice(0, writesMax)
    .some(({ target }) => textOf(receiverOf(target) ?? target) === text);
  return isRemoved || isReplaced || isCut;
}

function isInConstructor(node: ts.Node): boolean {
  const owner = functionAround(node);
  return owner !== null && ts.isConstructorDeclaration(owner);
}

/** A listener that is added with every call to something that outlives the call. */
export const listenerPerCall: Rule = {
  name: "listener-per-call",
  find: (program) =>
    callsNamed(program, "on", "addListener", "addEventListener", "subscribe").flatMap((call): Find[] => {
      const on = receiverOf(plain(call.expression).node);
      const owner = functionAround(call);
      if (!on || !owner || !isFromOutside(program, on, owner) || isTakenBack(program, on)) return [];
      const name = inlineCode(textOf(on));
      return [
        {
          node: call,
          subject: textOf(on),
          says: `each call adds a listener to ${name}, and none is ever removed: they leak`,
          remedy: `Remove the listener when it is no longer needed (\`off\`, or an \`AbortSignal\`), or add it once.`,
        },
      ];
    }),
};

function isFromOutside(program: Program, on: ts.Expression, owner: ts.Node): boolean {
  const root = rootOf(on);
  if (!root || !ts.isIdentifier(root)) return root?.kind === ts.SyntaxKind.ThisKeyword;
  const binding = findBinding(program, root.text, root);
  if (!binding) return false;
  if (binding.kind === "parameter") return true;
  return binding.node.pos < owner.pos || binding.node.end > owner.end;
}

function rootOf(node: ts.Expression): ts.Expression | null {
  let at = node;
  for (let on = receiverOf(at); on !== null; on = receiverOf(at)) at = on;
  return at;
}

function isTakenBack(program: Program, on: ts.Expression): boolean {
  return callsNamed(program, "off", "removeListener", "removeAllListeners", "removeEventListener", "unsubscribe").some(
    (call) => textOf(receiverOf(plain(call.expression).node) ?? call) === textOf(on),
  );
}

/** `typeof x === "object"` with nothing about null, and `x` is used as an object. */
export const nullIsObject: Rule = {
  name: "null-is-object",
  find: (program) => {
    const finds: Find[] = [];
    for (const owner of program.functions) {
      for (const test of typeTests(program, owner)) {
        const name = textOf(test.expression);
        const condition = conditionAround(test);
        if (!condition || isNullTested(owner.body, test.expression, condition)) continue;
        finds.push({
          node: test,
          subject: name,
          says: `only the type of ${inlineCode(name)} is checked here, and \`typeof null\` is "object" too: null passes the check`,
          remedy: `Check ${inlineCode(name)} for null before it is used as an object.`,
        });
      }
    }
    return finds;
  },
};

function typeTests(program: Program, owner: FunctionNode): ts.TypeOfExpression[] {
  return nodesIn(program, owner, ts.isTypeOfExpression)
    .filter(({ parent }) => {
      if (!ts.isBinaryExpression(parent) || !ts.isStringLiteralLike(parent.right) || parent.right.text !== "object")
        return false;
      const { kind } = parent.operatorToken;
      return kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.EqualsEqualsToken;
    })
    .slice(0, testsMax);
}

function conditionAround(node: ts.Node): ts.Node | null {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (
      (ts.isIfStatement(parent) && parent.expression === at) ||
      (ts.isConditionalExpression(parent) && parent.condition === at)
    )
      return parent;
    if (ts.isFunctionLike(parent) || ts.isBlock(parent)) return null;
  }
  return null;
}

/** `x &&`, `!x`, `x === null`, `x == null`, in the function up to the end of the condition. */
function isNullTested(body: ts.Node, tested: ts.Expression, condition: ts.Node): boolean {
  const name = textOf(tested);
  const isTest = (node: ts.Node): node is ts.Node => {
    if (node.pos > condition.end) return false;
    if (ts.isPrefixUnaryExpression(node)) return textOf(node.operand) === name;
    if (ts.isIfStatement(node)) return textOf(node.expression) === name;
    if (!ts.isBinaryExpression(node)) return false;
    const { kind } = node.operatorToken;
    const isTruth = kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;
    const isNull = isNullish(node.right) || isNullish(node.left);
    return (isTruth || isNull) && (textOf(node.left) === name || textOf(node.right) === name);
  };
  return within(body, isTest).length > 0;
}

/** `const pattern = /…/g`, which remembers where it stopped: asked again, it goes on from there. */
export const patternMemory: Rule = {
  name: "pattern-memory",
  find: (program, programs) =>
    (program.nodes.get(ts.SyntaxKind.RegularExpressionLiteral) ?? []).flatMap((node): Find[] => {
      const name = sharedNameOf(node);
      if (name === null || !/\/[a-z]*[gy][a-z]*$/.test(node.getText())) return [];
      const isAsked = programs
        .all()
        .some((one) => callsNamed(one, "exec", "test").some(({ expression }) => isOn(expression, name)));
      if (!isAsked) return [];
      return [
        {
          node,
          subject: name,
          says: `the pattern ${inlineCode(name)} is shared and has the flag \`g\`: it keeps its \`lastIndex\`, so that the next \`exec\` or \`test\` begins where the last one ended and finds nothing`,
          remedy: `Leave out the flag, or make the pattern anew for each text (\`matchAll\`, \`match\`).`,
        },
      ];
    }),
};

/** What a literal is kept under for the whole module; null when it is made anew by a function. */
function sharedNameOf(node: ts.Node): string | null {
  if (functionAround(node) !== null) return null;
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText();
  return ts.isBinaryExpression(parent) ? lastName(parent.left) : null;
}

function isOn(callee: ts.Expression, name: string): boolean {
  return ts.isPropertyAccessExpression(callee) && lastName(callee.expression) === name;
}
