import ts from "typescript";
import { inlineCode } from "../../../../prose.ts";
import { receiverOf } from "../bindings.ts";
import { plain } from "../expressions.ts";
import { functionAround } from "../functions.ts";
import { type FunctionNode, isFunction, lastName, nodesIn, type Program } from "../program.ts";
import { textOf, visit } from "../walk.ts";
import { callsNamed, type Find, type Rule } from "./rule.ts";

/** Of one function, each compared with the others. */
const awaitsMax = 40;
const callsMax = 300;
const reading = /^(?:get|read|load|find|fetch|count|select|peek|balance|query|hget|findOne|findById)/i;
const writing = /^(?:set|write|save|put|update|store|insert|replace|hset|incr|updateOne)/i;
const existing = /^(?:exists|existsSync|access|accessSync|stat|statSync|has|isFile|isDirectory)$/i;
const acting =
  /^(?:mkdir|mkdirSync|unlink|unlinkSync|rmdir|rename|renameSync|writeFile|writeFileSync|open|openSync|insert|create)$/;

/** Shared state that is read, waited on, and then written from what was read: two at the same time lose one. */
export const readThenWrite: Rule = {
  name: "read-then-write",
  find: (program) =>
    program.functions.flatMap((owner): Find[] => {
      const awaits = nodesIn(program, owner, ts.isAwaitExpression).slice(0, awaitsMax);
      const [read, write] = pairOf(awaits) ?? [];
      if (read && write) return [raceOf(read, textOf(receiverOf(write.expression) ?? write.expression))];
      return awaits.length === 0 ? [] : fieldRace(program, owner, awaits);
    }),
};

function pairOf(awaits: readonly ts.AwaitExpression[]): [ts.CallExpression, ts.CallExpression] | null {
  const calls = awaits.flatMap(({ expression }) => (ts.isCallExpression(expression) ? [expression] : []));
  for (const read of calls) {
    const on = receiverOf(plain(read.expression).node);
    if (!on || !reading.test(lastName(read.expression) ?? "")) continue;
    const write = calls.find(
      (call) =>
        call.pos > read.end &&
        writing.test(lastName(call.expression) ?? "") &&
        textOf(receiverOf(plain(call.expression).node) ?? call) === textOf(on) &&
        textOf(call.arguments[0] ?? call) === textOf(read.arguments[0] ?? read),
    );
    if (write) return [read, write];
  }
  return null;
}

/** `const n = this.n; await …; this.n = n + 1`. */
function fieldRace(program: Program, owner: FunctionNode, awaits: readonly ts.AwaitExpression[]): Find[] {
  const reads = nodesIn(program, owner, ts.isVariableDeclaration).filter(
    ({ initializer }) => initializer && receiverOf(plain(initializer).node) !== null,
  );
  const writes = nodesIn(
    program,
    owner,
    (node): node is ts.BinaryExpression =>
      ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken,
  );
  for (const read of reads.slice(0, awaitsMax)) {
    const { initializer, name } = read;
    if (!initializer || !ts.isIdentifier(name)) continue;
    const write = writes.find(
      (one) =>
        textOf(one.left) === textOf(initializer) &&
        one.pos > read.end &&
        new RegExp(`\\b${name.text.replace(/\$/g, "\\$")}\\b`).test(textOf(one.right, 400)),
    );
    if (write && awaits.some(({ pos }) => pos > read.end && pos < write.end))
      return [raceOf(read, textOf(initializer))];
  }
  return [];
}

function raceOf(node: ts.Node, state: string): Find {
  return {
    node,
    subject: state,
    says: `${inlineCode(state)} is read here and written after an \`await\` from what was read: two that run at the same time work with the same stale value, and one write is lost (a race)`,
    remedy: `Make reading and writing of ${inlineCode(state)} one step: a transaction, a lock, or an update that names the value it expects.`,
  };
}

/** What was checked may have changed when it is acted upon. */
export const checkThenAct: Rule = {
  name: "check-then-act",
  find: (program) =>
    program.functions.flatMap((owner): Find[] => {
      const calls = nodesIn(program, owner, ts.isCallExpression).slice(0, callsMax);
      const check = calls.find(({ expression }) => existing.test(lastName(expression) ?? ""));
      const act =
        check &&
        calls.find(
          (call) =>
            call.pos > check.end &&
            acting.test(lastName(call.expression) ?? "") &&
            sharesArgument(call, check) &&
            !isForgiving(call),
        );
      if (!check || !act) return [];
      return [
        {
          node: act,
          subject: textOf(act.expression),
          says: `${inlineCode(textOf(check))} is checked first and ${inlineCode(textOf(act.expression))} acts afterwards: between the two another call can do the same (a race)`,
          remedy: `Leave the check out and handle the error of ${inlineCode(textOf(act.expression))}, or let it stand a repetition (\`recursive\`, \`wx\`, upsert).`,
        },
      ];
    }),
};

function sharesArgument(left: ts.CallExpression, right: ts.CallExpression): boolean {
  return left.arguments.some((one) => right.arguments.some((other) => textOf(one) === textOf(other)));
}

function isForgiving(call: ts.CallExpression): boolean {
  return /recursive|force|wx/.test(
    call.arguments
      .slice(1)
      .map((one) => textOf(one))
      .join(),
  );
}

/** Two locks taken one after the other, in the order of the parameters: the opposite call takes them the other way round. */
export const lockOrder: Rule = {
  name: "lock-order",
  find: (program) =>
    program.functions.flatMap((owner): Find[] => {
      const locks = nodesIn(program, owner, ts.isCallExpression).filter(
        (call) =>
          /^(?:acquire|lock|withLock|enter|obtain|runExclusive)$/.test(lastName(call.expression) ?? "") &&
          call.arguments[0] &&
          !ts.isLiteralExpression(call.arguments[0]),
      );
      const [first, second] = locks;
      if (!first || !second || textOf(first.expression) !== textOf(second.expression)) return [];
      return [
        {
          node: first,
          subject: textOf(first.expression),
          says: `two locks are taken one after the other, in the order in which they are asked for: ${inlineCode(textOf(first))}, then ${inlineCode(textOf(second))}; who takes them the other way round waits for ever (a deadlock)`,
          remedy: "Take the locks in one fixed order, for example sorted by key.",
        },
      ];
    }),
};

/** A promise of which some way ends without settling it. */
export const neverSettled: Rule = {
  name: "never-settled",
  find: (program) =>
    callsNamed(program, "Promise").flatMap((made): Find[] => {
      const executor = made.arguments?.[0];
      if (!ts.isNewExpression(made) || !executor || !isFunction(executor)) return [];
      const settle = executor.parameters.map(({ name }) => name.getText());
      const bare = returnsIn(executor).find(
        (statement) => !statement.expression && !isAfterSettling(statement, settle),
      );
      if (!bare) return [];
      return [
        {
          node: bare,
          subject: functionAround(made) ? "the promise" : "a promise",
          says: `this way out settles the promise neither with resolve nor with reject: who waits for it waits for ever, until something times out`,
          remedy: "Resolve or reject the promise on this way too.",
        },
      ];
    }),
};

function returnsIn(root: ts.Node): ts.ReturnStatement[] {
  const found: ts.ReturnStatement[] = [];
  visit(root, (node) => {
    if (ts.isReturnStatement(node)) found.push(node);
  });
  return found;
}

/** `resolve(); return;` */
function isAfterSettling(statement: ts.ReturnStatement, settle: readonly string[]): boolean {
  const { parent } = statement;
  if (!ts.isBlock(parent)) return false;
  const before = parent.statements.slice(0, parent.statements.indexOf(statement));
  return before.some((one) => settle.some((name) => textOf(one, 400).includes(`${name}(`)));
}
