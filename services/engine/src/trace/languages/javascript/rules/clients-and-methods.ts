import ts from "typescript";
import { inlineCode } from "../../../../prose.ts";
import { findBinding } from "../bindings.ts";
import { type FunctionNode, nodesIn, type Program } from "../program.ts";
import type { Programs } from "../programs.ts";
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

/** A method that is handed over without its object. */
export const detachedMethod: Rule = {
  name: "detached-method",
  find: (program, programs) => {
    const methods = methodsUsingThis(programs);
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

const methodsOf = new WeakMap<Programs, ReadonlySet<string>>();

/** The names of methods that need their object, looked for once in all the files. */
function methodsUsingThis(programs: Programs): ReadonlySet<string> {
  const known = methodsOf.get(programs);
  if (known) return known;
  const names = programs.all().flatMap(({ functions }) => functions.flatMap(methodWithThis));
  const methods = new Set(names);
  methodsOf.set(programs, methods);
  return methods;
}

function methodWithThis(node: FunctionNode): string[] {
  const isMethod = ts.isMethodDeclaration(node) && ts.isClassLike(node.parent) && ts.isIdentifier(node.name);
  return isMethod && /\bthis\b/.test(node.body.getText()) ? [node.name.getText()] : [];
}
