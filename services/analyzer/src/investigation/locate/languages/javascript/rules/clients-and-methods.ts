import ts from "typescript";
import { inlineCode } from "../../../../prose.ts";
import { findBinding } from "../bindings.ts";
import { nodesIn, type Program } from "../program.ts";
import { textOf } from "../walk.ts";
import { callsNamed, type Find, type Rule } from "./rule.ts";

/** The clients whose connection is only opened when they are told to. */
const making = ["createClient", "Client", "MongoClient"];

/** A client is made, and nothing in the file of its making or of its use ever connects it. */
export const neverConnected: Rule = {
  name: "never-connected",
  find: (program, programs) => {
    const connects = programs.own().some(({ calls }) => (calls.get("connect") ?? []).length > 0);
    if (connects || program.isInstalled) return [];
    return making
      .flatMap((name) => callsNamed(program, name))
      .map((call) => ({
        node: call,
        subject: textOf(call.expression),
        says: `a client is made by ${inlineCode(textOf(call.expression))}, and nothing in the code given calls its \`connect()\`: newer versions no longer connect by themselves`,
        remedy: "Call and await `connect()` once, before the client is used.",
      }));
  },
};

/** What stands in a function and hands over a method without its object. */
export const detachedMethod: Rule = {
  name: "detached-method",
  find: (program, programs) => {
    const methods = methodsUsingThis(programs.all());
    return [...program.functions, null].flatMap((owner) =>
      nodesIn(program, owner, ts.isCallExpression).flatMap((call) =>
        call.arguments.flatMap((argument): Find[] => {
          const name = ts.isPropertyAccessExpression(argument) ? argument.name.text : null;
          if (name === null || !methods.has(name) || isOfThisOrModule(program, argument)) return [];
          return [
            {
              node: argument,
              subject: name,
              says: `the method ${inlineCode(textOf(argument))} is handed over as a callback without its object: when it is called, \`this\` is undefined`,
              remedy: `Hand over a function that calls it, ${inlineCode(`() => ${textOf(argument)}()`)}, or bind it.`,
            },
          ];
        }),
      ),
    );
  },
};

/** A method of a module or of a namespace needs no object. */
function isOfThisOrModule(program: Program, argument: ts.Expression): boolean {
  const on = ts.isPropertyAccessExpression(argument) ? argument.expression : argument;
  if (!ts.isIdentifier(on)) return false;
  const binding = findBinding(program, on.text, on);
  return binding?.kind === "import" || binding?.kind === "class";
}

function methodsUsingThis(all: readonly Program[]): Set<string> {
  const names = all.flatMap(({ functions }) =>
    functions.flatMap((one) =>
      ts.isMethodDeclaration(one) &&
      ts.isClassLike(one.parent) &&
      ts.isIdentifier(one.name) &&
      /\bthis\b/.test(one.body.getText())
        ? [one.name.text]
        : [],
    ),
  );
  return new Set(names);
}
