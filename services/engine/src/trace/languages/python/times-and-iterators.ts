import { inlineCode } from "../../../prose.ts";
import { around, type CodeNode, part, walk } from "../tree/code-node.ts";
import { plain, textOf } from "../tree/expressions.ts";
import { ownName } from "../tree/functions.ts";
import type { Rule } from "../tree/rule.ts";

/** `datetime.utcnow()`, `datetime.now()`: a time without a zone, which cannot be compared with one that has it. */
export const naiveTime: Rule = {
  name: "naive-time",
  find: (program) =>
    ["utcnow", "now", "utcfromtimestamp"].flatMap((name) =>
      (program.calls.get(name) ?? []).flatMap((call) => {
        const text = textOf(call, program.source);
        if (!/datetime/.test(text) || (name === "now" && !text.endsWith("now()"))) return [];
        return [
          {
            node: call,
            subject: text,
            says: `${inlineCode(text)} gives a naive time, one without a timezone: it cannot be compared with an aware one`,
            remedy: "Ask for the time with its zone: `datetime.now(timezone.utc)`.",
          },
        ];
      }),
    ),
};

const once = /^(?:map|filter|zip|iter|reversed|enumerate)\(/;

/** A function that returns a generator: whoever goes through it twice finds it empty the second time. */
export const spentIterator: Rule = {
  name: "spent-iterator",
  find: (program) =>
    program.functions.flatMap((owner) => {
      const body = part(owner, "body");
      const returned = body ? [...walk(body)].find((node) => isIterator(node, owner, program.source.text)) : undefined;
      if (!returned) return [];
      const name = inlineCode(ownName(program, owner) ?? "this function");
      return [
        {
          node: returned,
          subject: ownName(program, owner) ?? "",
          says: `${name} returns an iterator (a generator), which can be gone through once: the second time it is exhausted and empty`,
          remedy: "Return a list, or make one of it before it is read twice.",
        },
      ];
    }),
};

function isIterator(node: CodeNode, owner: CodeNode, text: string): boolean {
  if (node.kind !== "return" || around(node.parent ?? node, "function") !== owner) return false;
  const [value] = node.children;
  if (!value) return false;
  const inner = plain(value);
  return inner.type === "generator_expression" || once.test(text.slice(inner.start, inner.end).slice(0, 20));
}
