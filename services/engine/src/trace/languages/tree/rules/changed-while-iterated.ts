import { inlineCode } from "../../../../prose.ts";
import { calleesOf } from "../calls.ts";
import { type CodeNode, functionNodesMax, part, walk } from "../code-node.ts";
import { lastName, plain, receiverOf, textOf } from "../expressions.ts";
import { returnsOf } from "../functions.ts";
import type { CodeProgram } from "../program.ts";
import type { CodePrograms } from "../programs.ts";
import type { Find, Rule } from "../rule.ts";

const changing: ReadonlySet<string> = new Set([
  "remove",
  "removeAll",
  "add",
  "put",
  "clear",
  "pop",
  "popitem",
  "append",
  "insert",
  "update",
  "delete",
  "store",
  "push",
]);
/** Loops of one file, and calls within one, that are looked at. */
const loopsMax = 100;
const callsMax = 20;

/** A loop over a collection that changes it, itself or in what it calls. */
export const changedWhileIterated: Rule = {
  name: "changed-while-iterated",
  find: (program, programs) =>
    program.loops.slice(0, loopsMax).flatMap((loop) => {
      const over = part(loop, "over");
      const collection = over && collectionOf(programs, program, plain(over));
      const body = part(loop, "body");
      if (!collection || !body) return [];
      return changesIn(programs, program, body, collection);
    }),
};

/** The name of what is gone through: `sessions`, also of `registry.all()` that returns its `sessions`. */
function collectionOf(programs: CodePrograms, program: CodeProgram, over: CodeNode): string | null {
  if (over.kind !== "call") return lastName(over, program.source);
  const name = lastName(over, program.source) ?? "";
  if (/^(?:keys|values|items|entrySet|keySet|keys|each|iterator)$/.test(name)) {
    const on = receiverOf(over);
    return on ? lastName(on, program.source) : null;
  }
  const [found] = calleesOf(programs, program, over);
  const value = found && returnsOf(found.program, found.node).find((one) => one !== null);
  return found && value && plain(value).kind !== "call" ? lastName(value, found.program.source) : null;
}

function changesIn(programs: CodePrograms, program: CodeProgram, body: CodeNode, collection: string): Find[] {
  const found: Find[] = [];
  let calls = 0;
  for (const node of walk(body, functionNodesMax)) {
    if (node.kind !== "call" || ++calls > callsMax) continue;
    if (changes(program, node, collection)) found.push(findAt(program, node, collection));
    for (const callee of calleesOf(programs, program, node)) {
      for (const inner of walk(callee.node, functionNodesMax))
        if (changes(callee.program, inner, collection)) found.push(findAt(program, node, collection));
    }
  }
  return found.slice(0, 1);
}

function changes({ source }: CodeProgram, node: CodeNode, collection: string): boolean {
  if (node.kind !== "call" || !changing.has(lastName(node, source) ?? "")) return false;
  const on = receiverOf(node);
  return on !== null && lastName(on, source) === collection;
}

function findAt({ source }: CodeProgram, node: CodeNode, collection: string): Find {
  const name = inlineCode(collection);
  return {
    node,
    subject: collection,
    says: `${inlineCode(textOf(node, source))} changes ${name} while this loop goes through it`,
    remedy: `Go through a copy of ${name}, or collect what is to be changed and do it after the loop (\`removeIf\`, a comprehension, \`reject!\`).`,
  };
}
