import { inlineCode } from "../../../prose.ts";
import { around, type CodeNode, part, walk } from "../tree/code-node.ts";
import { nameText, plain, receiverOf, textOf } from "../tree/expressions.ts";
import { ownName } from "../tree/functions.ts";
import type { CodeProgram } from "../tree/program.ts";
import type { Rule } from "../tree/rule.ts";
import { changedWhileIterated } from "../tree/rules/changed-while-iterated.ts";
import { swallowedFailure } from "../tree/rules/swallowed-failure.ts";
import { naiveTime, spentIterator } from "./times-and-iterators.ts";

/** `def f(items=[])`: made once, when the function is defined, and shared by every call. */
const sharedDefault: Rule = {
  name: "shared-default",
  find: (program) =>
    program.functions.flatMap((owner) =>
      (part(owner, "parameters")?.children ?? []).flatMap((parameter) => {
        const value = parameter.kind === "parameter" ? part(parameter, "value") : null;
        const name = part(parameter, "name");
        if (!value || !name || !isMutable(program, plain(value))) return [];
        const text = nameText(name, program.source);
        const made = textOf(value, program.source);
        return [
          {
            node: parameter,
            subject: text,
            says: `the default ${inlineCode(made)} of ${inlineCode(text)} is mutable and made once: every call of ${inlineCode(ownName(program, owner) ?? "this function")} that gives none shares it, with all that was added before`,
            remedy: `Write ${inlineCode(`${text}=None`)} and make ${inlineCode(made)} inside of the function.`,
          },
        ];
      }),
    ),
};

function isMutable({ source }: CodeProgram, value: CodeNode): boolean {
  if (value.type === "list" || value.type === "dictionary" || value.type === "set") return true;
  const callee = value.kind === "call" ? part(value, "callee") : null;
  return callee !== null && /^(?:list|dict|set|defaultdict|deque|OrderedDict)$/.test(textOf(callee, source));
}

/** `lambda: use(item)` in a loop over `item`: it reads the variable when it runs, and then that is the last one. */
const lateBinding: Rule = {
  name: "late-binding",
  find: (program) =>
    program.functions.flatMap((closure) => {
      const loop = around(closure.parent ?? closure, "loop", "function", "class");
      const target = loop?.kind === "loop" ? part(loop, "target") : null;
      if (!loop || target?.kind !== "name" || closure.parent?.type === "keyword_argument") return [];
      const name = nameText(target, program.source);
      const isBound = (part(closure, "parameters")?.children ?? []).some((one) =>
        textOf(one, program.source).startsWith(name),
      );
      if (isBound || !isKept(closure) || !reads(program, closure, name)) return [];
      return [
        {
          node: closure,
          subject: name,
          says: `the function made here reads ${inlineCode(name)} only when it runs: after the loop that is the last one, for all of them`,
          remedy: `Bind the value when the function is made: ${inlineCode(`lambda ${name}=${name}: …`)} or \`functools.partial\`.`,
        },
      ];
    }),
};

/** A function that outlives the turn of the loop: it is stored, or handed to something that stores it. */
function isKept({ parent }: CodeNode): boolean {
  const call = parent?.parent;
  return parent?.kind === "assign" || parent?.kind === "entry" || (call?.kind === "call" && receiverOf(call) !== null);
}

function reads({ source }: CodeProgram, closure: CodeNode, name: string): boolean {
  const body = part(closure, "body");
  if (!body) return false;
  for (const node of walk(body)) if (node.kind === "name" && nameText(node, source) === name) return true;
  return false;
}

export const pythonRules: readonly Rule[] = [
  sharedDefault,
  lateBinding,
  swallowedFailure,
  changedWhileIterated,
  naiveTime,
  spentIterator,
];
