import { inlineCode } from "../../../../prose.ts";
import { type CodeNode, part, walkOwn } from "../code-node.ts";
import { isLiteral, isNothing, lastName, textOf } from "../expressions.ts";
import type { CodeProgram } from "../program.ts";
import type { Rule } from "../rule.ts";

/** A handler that neither raises again nor tells its caller: what was not done is missed later, elsewhere. */
export const swallowedFailure: Rule = {
  name: "swallowed-failure",
  find: (program) =>
    program.catches.flatMap((node) => {
      if (!isSilent(program, node)) return [];
      const caught = part(node, "type");
      const what = caught ? inlineCode(textOf(caught, program.source, 60)) : "every error";
      const owner = program.ownerOf(node);
      const instead = inlineCode(program.dialect.nothing);
      return [
        {
          node,
          subject: caught ? textOf(caught, program.source, 60) : textOf(node, program.source, 40),
          says: `${what} is caught here and goes no further: the caller gets ${instead}, or half of the work, as if nothing had failed`,
          remedy: `Let ${what} through${owner ? ` to the caller` : ""}, or wrap it and raise it again; log it where it is handled.`,
        },
      ];
    }),
};

/** Whether a handler does nothing but log, or gives nothing instead. */
function isSilent(program: CodeProgram, handler: CodeNode): boolean {
  const body = part(handler, "body") ?? handler.children.find(({ kind }) => kind === "block");
  if (!body)
    return handler.kind === "catch" && handler.children.every(({ kind }) => kind !== "call" && kind !== "throw");
  for (const node of walkOwn(body)) {
    if (node.kind === "throw") return false;
    if (node.kind === "return" && !givesNothing(node)) return false;
    if (node.kind === "assign" && !isEmptyValue(part(node, "value"))) return false;
    if (node.kind === "call" && !isLogging(program, node)) return false;
    if (leaving.has(node.type)) return false;
  }
  return true;
}

const leaving: ReadonlySet<string> = new Set([
  "retry",
  "break_statement",
  "continue_statement",
  "break",
  "next",
  "yield",
]);

function givesNothing(node: CodeNode): boolean {
  const value = node.children[0];
  return !value || isEmptyValue(value.type === "argument_list" ? (value.children[0] ?? null) : value);
}

/** Nothing, or an empty collection. */
function isEmptyValue(value: CodeNode | null): boolean {
  if (!value || isNothing(value)) return true;
  return (value.kind === "collection" || value.kind === "list") && value.children.length === 0
    ? true
    : isLiteral(value);
}

const logging =
  /^(?:debug|info|warn|warning|error|exception|log|print|println|puts|p|printf|printStackTrace|trace|getMessage|format|class|message|to_s|str|repr|getLogger)$/;

function isLogging({ source }: CodeProgram, call: CodeNode): boolean {
  return logging.test(lastName(call, source) ?? "");
}
