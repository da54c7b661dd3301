import type { Codebase } from "../code/codebase.ts";
import { keyText } from "../code/expressions.ts";
import { type CodeNode, nodesBetween, part, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Edit } from "./repair.ts";

/** One occurrence of a field or key in the code. */
export interface Written {
  readonly program: Program;
  readonly node: CodeNode;
  readonly start: number;
  readonly end: number;
}

const nodesMax = 2_000;

/** Returns where a line reads or writes a field or key of this name. */
export function namedOn(program: Program, line: number, name: string): Written[] {
  const { start, end } = program.source.lines(line, line);
  return nodesBetween(program.tree, start, end, nodesMax)
    .flatMap((node) => placeOf(program, node, name))
    .filter((one) => one.start >= start && one.end <= end);
}

/** Returns where some code reads or writes a field or key of this name. */
export function namedIn(program: Program, name: string): Written[] {
  return [...walk(program.tree)].flatMap((node) => placeOf(program, node, name));
}

function placeOf(program: Program, node: CodeNode, name: string): Written[] {
  const { text } = program.source;
  const written = (start: number): Written[] =>
    text.startsWith(name, start) ? [{ program, node, start, end: start + name.length }] : [];
  if (node.kind === "member" && node.name === name) return written(node.at);
  if (node.kind === "entry" && node.name === name)
    return written(/^["']/.test(text.slice(node.start)) ? node.start + 1 : node.start);
  if (node.kind !== "index") return [];
  const key = part(node, "key");
  return key?.kind === "string" && keyText(key) === name ? written(key.start + 1) : [];
}

/** Returns whether an occurrence assigns the field or key, rather than reading it. */
export function isGiven({ node }: Written): boolean {
  if (node.kind !== "entry") return node.role === "target";
  for (let at = node.parent; at !== null && /^(?:entry|object|list)$/.test(at.kind); at = at.parent)
    if (at.role === "target") return false;
  return node.parent?.kind === "object";
}

/** Returns every name to which code or data assigns a value: fields, keys, methods, and keys of data files. */
export function givenNames(codebase: Codebase): ReadonlySet<string> {
  const names = new Set<string>();
  for (const program of codebase.near()) {
    for (const name of program.fieldWrites.keys()) names.add(name);
    for (const name of program.entries.keys()) names.add(name);
    for (const { name } of program.functions) if (name !== null) names.add(name);
  }
  for (const { name, text } of codebase.files.all)
    if (dataFile.test(name)) for (const [, key = ""] of text.matchAll(dataKey)) names.add(key);
  return names;
}

const dataFile = /\.(?:json5?|ya?ml|toml|ini|env|properties|csv)$/i;
const dataKey = /(?:^|[{,\s])["']?([A-Za-z_$][\w$-]*)["']?\s*[:=,\n]/g;

/** Renames an occurrence. A shorthand keeps its variable. */
export function renamed({ program, node, start, end }: Written, name: string): Edit {
  const isShorthand = node.kind === "entry" && node.start === start && node.end === end;
  const text = isShorthand ? `${name}: ${program.source.text.slice(start, end)}` : name;
  return { source: program.source, start, end, text };
}
