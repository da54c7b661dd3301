import { inlineCode } from "../../../prose.ts";
import { type CodeNode, part } from "../tree/code-node.ts";
import { lastName, plain, receiverOf, textOf } from "../tree/expressions.ts";
import type { CodeProgram, Write } from "../tree/program.ts";
import type { Rule } from "../tree/rule.ts";
import { changedWhileIterated } from "../tree/rules/changed-while-iterated.ts";
import { swallowedFailure } from "../tree/rules/swallowed-failure.ts";

/** `LIST = []` without `.freeze`: whoever is given it may change it for everybody. */
const mutableConstant: Rule = {
  name: "mutable-constant",
  find: (program, programs) =>
    constantsIn(program).flatMap(([name, writes]) =>
      writes.flatMap(({ node, value }) => {
        const made = value && plain(value);
        const isMutable = made && (made.type === "hash" || made.type === "array" || made.type === "string");
        if (!isMutable || program.ownerOf(node) !== null) return [];
        const changed = programs.all().some((one) => changes(one, name));
        if (!changed) return [];
        return [
          {
            node,
            subject: name,
            says: `the constant ${inlineCode(name)} is not frozen, and code changes it in place: what one call adds stays there for all others`,
            remedy: `Write \`.freeze\` behind the value of ${inlineCode(name)}, and change a \`.dup\` of it.`,
          },
        ];
      }),
    ),
};

/** Constants of one file that are asked whether code changes them. */
const constantsMax = 40;

function constantsIn({ writes }: CodeProgram): [name: string, writes: readonly Write[]][] {
  return [...writes].filter(([name]) => /^[A-Z]/.test(name)).slice(0, constantsMax);
}

const changing: readonly string[] = [
  "push",
  "concat",
  "merge!",
  "store",
  "delete",
  "append",
  "update",
  "clear",
  "gsub!",
];

function changes(program: CodeProgram, name: string): boolean {
  const isIt = (node: CodeNode | null): boolean => node !== null && lastName(node, program.source) === name;
  const called = changing.some((method) => (program.calls.get(method) ?? []).some((call) => isIt(receiverOf(call))));
  return (
    called ||
    [...program.writes.values()].flat().some(({ target }) => target.kind === "index" && isIt(part(target, "on"))) ||
    program.source.text.includes(`${name} <<`)
  );
}

/** `JSON.parse(text)` has texts as keys; read with symbols they are all missing. */
const textKeys: Rule = {
  name: "text-keys",
  find: (program) =>
    (program.calls.get("parse") ?? []).flatMap((call) => {
      const on = receiverOf(call);
      const text = textOf(call, program.source, 200);
      if (
        !on ||
        !/^(?:JSON|YAML|Oj|MultiJson)$/.test(textOf(on, program.source)) ||
        /symbolize_names|symbol_keys/.test(text)
      )
        return [];
      return [
        {
          node: call,
          subject: textOf(call, program.source),
          says: `${inlineCode(textOf(call, program.source))} gives a hash whose keys are strings; read with symbols (${inlineCode("[:name]")}) it gives ${inlineCode("nil")}`,
          remedy: `Parse with \`symbolize_names: true\` in ${inlineCode(textOf(on, program.source))}\`.parse\`, or read it with string keys.`,
        },
      ];
    }),
};

export const rubyRules: readonly Rule[] = [swallowedFailure, mutableConstant, textKeys, changedWhileIterated];
