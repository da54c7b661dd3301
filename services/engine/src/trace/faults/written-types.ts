import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, isLiteral, plain } from "../code/expressions.ts";
import { type CodeNode, part } from "../code/ir.ts";
import { type Program, parametersOf } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";

/** How far before a declared name its type may begin, in UTF-16 units. */
const typeUnitsMax = 60;
/** How many declarations of one name are compared. */
const declarationsMax = 20;

/**
 * Returns the type that is written before the name of a variable, a field, or an accessor: `String` for `String name`;
 * null where none is written, it is generic or an array, or declarations of that name differ.
 */
export function writtenType(codebase: Codebase, program: Program, expression: CodeNode): string | null {
  const node = plain(expression);
  if (isLiteral(node)) return typeOfLiteral(program, node);
  const { name } = node;
  if (name === null || (node.kind === "call" && argumentsOf(node).length > 0)) return null;
  const binding = node.kind === "name" ? resolve(program, name, node) : null;
  if (binding) return typeBefore(program, binding.node, name);
  const [first, ...others] = declarations(codebase, program, name);
  return first !== undefined && others.every((one) => one === first) ? first : null;
}

function typeOfLiteral({ source }: Program, node: CodeNode): string | null {
  if (node.kind === "string") return "String";
  if (node.kind !== "number") return null;
  const text = source.text.slice(node.start, node.end);
  return /l$/i.test(text) ? "long" : /[.ef]/i.test(text) && !/^0x/i.test(text) ? "double" : "int";
}

/** Returns the types of the fields, accessors, and components of records with a name. */
function declarations(codebase: Codebase, { dialect }: Program, name: string): (string | null)[] {
  const accessors = codebase.functionsNamed(name).filter(({ node }) => !part(node, "parameter"));
  const fields = codebase.own().flatMap((program) => {
    const declared = (program.fieldWrites.get(name) ?? []).filter(({ node }) => node.kind === "declare");
    const components = program.classes.flatMap((owner) => parametersOf(owner).filter((one) => one.name === name));
    return [...declared.map(({ node }) => node), ...components].map((node) => ({ program, node }));
  });
  return [...accessors, ...fields]
    .filter(({ program }) => program.dialect === dialect)
    .slice(0, declarationsMax)
    .map(({ program, node }) => typeBefore(program, node, name));
}

/**
 * Returns the word before a declared name, if nothing but blanks is between them. The type of a parsed declaration is
 * also that of an array's elements, so it doesn't tell the two apart.
 */
function typeBefore({ source }: Program, { start, end }: CodeNode, name: string): string | null {
  const text = source.text.slice(Math.max(0, start - typeUnitsMax), Math.min(end, start + 4 * typeUnitsMax));
  const at = text.search(new RegExp(`(?<=\\s)${name.replace(/\W/g, "\\$&")}\\b(?=\\s*[=;,)(:]|\\s*$)`));
  const type = at < 0 ? null : /(?:^|[\s(.])([A-Za-z_]\w*)\s+$/.exec(text.slice(0, at))?.[1];
  return type === undefined || type === null || keywords.has(type) ? null : type;
}

const keywords: ReadonlySet<string> = new Set(
  "var let const final static return new public private protected record else throw".split(" "),
);
