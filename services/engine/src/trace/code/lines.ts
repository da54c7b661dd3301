import type { CallResult, PassedArgument } from "../traced.ts";
import { argumentsOf, isAwaited } from "./expressions.ts";
import { type CodeNode, is, nodesBetween, part } from "./ir.ts";
import { importedBy } from "./modules.ts";
import type { Program } from "./program.ts";
import { resolve } from "./scopes.ts";

const nodesMax = 2_000;

/**
 * Returns the arguments of the only call of a function on a line; null where there isn't exactly one, or where a spread
 * may pass more.
 */
export function passedOn(program: Program, line: number, callee: string): PassedArgument[] | null {
  const { source } = program;
  const [only, ...others] = callsOf(program, line, callee);
  if (!only || others.length > 0) return null;
  const passed = argumentsOf(only);
  if (passed.some(({ value }) => value.kind === "spread")) return null;
  return passed.map(({ name, value }) => ({ name, text: source.text.slice(value.start, value.end) }));
}

/**
 * Returns how the results of a function are used on a line, by its calls or by reads of it as an accessor. Where the
 * line doesn't name the function, any of its calls may be the one.
 */
export function resultsOn(program: Program, line: number, callee: string): CallResult[] {
  const own = callsOf(program, line, callee);
  return (own.length > 0 ? own : otherCallsOf(program, line, callee)).map((call) => {
    const outer = call.parent && isAwaited(call) ? call.parent : call;
    return {
      callee: call.name,
      isNew: is(call, "new"),
      isDropped: isStatement(outer),
      variables: variablesSetBy(outer),
      field: fieldSetTo(outer),
    };
  });
}

function otherCallsOf(program: Program, line: number, callee: string): CodeNode[] {
  const nodes = nodesOn(program, line);
  const reads = nodes.filter(
    ({ kind, name, role, at }) =>
      kind === "member" && name === callee && role !== "target" && program.source.lineAt(at) === line,
  );
  return reads.length > 0 ? reads : nodes.filter((node) => node.kind === "call" && isCalledOn(program, line, node));
}

/** Returns the modules whose imported names are on a line. */
export function modulesOn(program: Program, line: number): string[] {
  return nodesOn(program, line).flatMap((node) => {
    if (node.kind !== "name" || node.name === null || program.source.lineAt(node.at) !== line) return [];
    const binding = resolve(program, node.name, node);
    return (binding && importedBy(binding)?.specifier) ?? [];
  });
}

/** Returns the names of variables, fields, and keys on a line. */
export function namesOn(program: Program, line: number): string[] {
  return nodesOn(program, line).flatMap((node) => {
    const isNamed = named.has(node.kind) || (node.kind === "string" && node.role === "key");
    return isNamed && node.name !== null && program.source.lineAt(node.at) === line ? [node.name] : [];
  });
}

const named: ReadonlySet<CodeNode["kind"]> = new Set([
  "name",
  "self",
  "member",
  "call",
  "entry",
  "declare",
  "parameter",
  "function",
  "class",
]);

function nodesOn({ tree, source }: Program, line: number): CodeNode[] {
  const { start, end } = source.lines(line, line);
  return nodesBetween(tree, start, end, nodesMax);
}

function callsOf(program: Program, line: number, callee: string): CodeNode[] {
  return (program.calls.get(callee) ?? []).filter((call) => isCalledOn(program, line, call));
}

/** Returns whether a line has the name of what is called, which of a chain over several lines is its last name. */
function isCalledOn({ source }: Program, line: number, call: CodeNode): boolean {
  const callee = part(call, "callee");
  return source.lineAt(callee ? callee.end - 1 : call.start) === line;
}

const statements: ReadonlySet<CodeNode["kind"]> = new Set(["block", "module"]);

/** Returns whether a node is a statement of its own, also one without a block around it. */
function isStatement({ parent, role }: CodeNode): boolean {
  if (!parent || statements.has(parent.kind)) return true;
  return (
    (parent.kind === "if" || parent.kind === "loop") && (role === "then" || role === "otherwise" || role === "body")
  );
}

/** Returns the variables of the statement that are set to a value, or to what is computed from it. */
function variablesSetBy(value: CodeNode): string[] {
  const found: string[] = [];
  for (let at = value; at.parent && !ends.has(at.parent.kind); at = at.parent) {
    const { parent } = at;
    const target = at.role === "value" ? part(parent, "target") : null;
    if (parent.kind === "declare" && !target && parent.name !== null) found.push(parent.name);
    if (target?.kind === "name" && target.name !== null) found.push(target.name);
  }
  return found;
}

/** What isn't the value that it contains, and has no name for it. */
const ends: ReadonlySet<CodeNode["kind"]> = new Set(["block", "module", "function", "class", "object", "list"]);

/** Returns the field, key, variable, or named argument that is set to a value. */
function fieldSetTo({ parent, role }: CodeNode): string | null {
  if (!parent || role !== "value") return null;
  if (parent.kind === "entry" || parent.kind === "declare") return parent.name;
  return parent.kind === "assign" ? (part(parent, "target")?.name ?? null) : null;
}
