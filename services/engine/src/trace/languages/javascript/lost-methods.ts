import ts from "typescript";
import { inlineCode } from "../../../prose.ts";
import { nameOf } from "./functions.ts";
import { type CallNode, lastName } from "./program.ts";
import type { Programs } from "./programs.ts";
import type { Subject, Tracing } from "./subject.ts";
import { textOf } from "./walk.ts";

/** Methods that only an object of a class of the language has; as JSON, or copied field by field, it is none any more. */
const ofBuiltIns: ReadonlySet<string> = new Set(
  "getTime getFullYear getMonth getDate getDay getHours getMinutes toISOString toLocaleDateString toDateString".split(
    " ",
  ),
);
const copying: ReadonlySet<string> = new Set(["structuredClone", "cloneDeep", "assign"]);

/**
 * `{ ...object }`, `JSON.parse(text)`, `structuredClone(object)`: what comes out has the fields of what went in, and not
 * the methods of its class. True when the missing thing is such a method, so that it was lost here.
 */
export function noteLostMethod(
  trace: Tracing,
  { program, path }: Subject,
  node: ts.ObjectLiteralExpression | CallNode,
  steps: number,
): boolean {
  const [method, ...rest] = path;
  if (method === undefined || rest.length > 0 || !isCopy(node)) return false;
  if (!ofBuiltIns.has(method) && !isMethod(trace.programs, method)) return false;
  const says = `what ${inlineCode(textOf(node))} makes has the fields of what went in and not the methods of its class: ${inlineCode(method)} is lost here`;
  trace.log.note(program, node, "computed", method, says, steps);
  return true;
}

function isCopy(node: ts.ObjectLiteralExpression | CallNode): boolean {
  if (ts.isObjectLiteralExpression(node)) return true;
  return node.expression.getText() === "JSON.parse" || copying.has(lastName(node.expression) ?? "");
}

/** Whether the code given has classes with such a method, and no object that carries it as a field. */
function isMethod(programs: Programs, name: string): boolean {
  const named = programs.all().flatMap(({ functions }) => functions.filter((one) => nameOf(one) === name));
  return named.length > 0 && named.every((one) => ts.isMethodDeclaration(one) && ts.isClassLike(one.parent));
}
