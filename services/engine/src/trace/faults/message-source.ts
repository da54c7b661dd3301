import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { Codebase } from "../code/codebase.ts";
import { definitionsOf } from "../code/definitions.ts";
import { argumentsOf, plain, receiverOf } from "../code/expressions.ts";
import { type CodeNode, is, part, partsOf, walkOwn } from "../code/ir.ts";
import { findExports, importedBy } from "../code/modules.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { follow } from "../follow/follow-error.ts";
import { raisedBy } from "../follow/throw-site.ts";
import { Tracer } from "../follow/tracer.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { isOnStack } from "../frames/stack-calls.ts";

/** The fixed parts of a message, between the values inserted into it. */
type Template = readonly string[];

/** A place that builds a message. */
interface MessageSource {
  readonly program: Program;
  readonly node: CodeNode;
  readonly template: string;
}

/** Templates with fewer fixed characters match too much. */
const writtenUnitsMin = 8;
const messageUnitsMax = 2_000;
/** Maximum number of errors created in one file that are compared. */
const madeMax = 300;
const partsMax = 12;
const depthMax = 5;
const sourcesMax = 2;
const templateUnitsMax = 120;
const logging = /^(?:error|warn|warning|fatal|critical|exception|Error|Errorf|Printf|Println|Fatalf)$/;
const formatting =
  /^(?:format|sprintf|Sprintf|Errorf|printf|inspect|concat|String|fmt|formatted|t|translate|gettext|_)$/;
const placeholder = /%[-+# 0-9.]{0,8}[a-zA-Z]|%?\{[^{}]{0,40}\}/;

/** Notes the places off the stack that build an error's message, and follows what they depend on. */
export function findMessageSources({ codebase, error, chain, frames }: Failure, trail: Trail): void {
  const isLogged = frames.length === 0;
  const worst = error.records.find(({ level }) => level === "error" || level === "fatal");
  const logged = isLogged ? [worst?.message.split("\n", 1)[0] ?? error.headline] : [];
  const messages = [...chain.map(({ exception }) => exception.message), ...logged];
  for (const isLog of isLogged ? [true, false] : [false]) {
    for (const { program, node, template } of messageSources(codebase, messages, frames, isLog)) {
      const said = { template: template.slice(0, templateUnitsMax) };
      const at = trail.add(
        { kind: "message-source", args: isLog && !program.raises.includes(node) ? { ...said, isLogged: true } : said },
        placeAt(program, node),
        null,
      );
      follow(new Tracer(codebase, [], trail), program, raisedBy(program, node), null, at);
    }
  }
}

/** Returns those whose template contains the most of such a message. */
function messageSources(
  codebase: Codebase,
  messages: readonly string[],
  frames: readonly LocatedFrame[],
  isLogged: boolean,
): MessageSource[] {
  const texts = messages.map((text) => text.slice(0, messageUnitsMax)).filter((text) => text.length >= writtenUnitsMin);
  if (texts.length === 0) return [];
  const rated = codebase.all().flatMap((program) =>
    makingIn(program, isLogged).flatMap((node) =>
      templatesOf(codebase, program, node).map((template) => ({
        program,
        node,
        template: template.join("…"),
        written: Math.max(...texts.map((text) => fits(template, text))),
      })),
    ),
  );
  const fitting = rated
    .filter(({ written }) => written >= writtenUnitsMin)
    .sort((left, right) => right.written - left.written);
  const best = fitting.filter(({ written }) => written === fitting[0]?.written);
  // The stack shows which of several equal texts it was.
  const isThrownOnStack = best.some(({ program, node }) => isThrowOnStack(program, node, frames));
  return best.length > sourcesMax || isThrownOnStack ? [] : best;
}

function makingIn(program: Program, isLogged: boolean): CodeNode[] {
  if (!isLogged) return program.raises.slice(0, madeMax);
  return [...program.calls].flatMap(([name, calls]) => (logging.test(name) ? calls : [])).slice(0, madeMax);
}

function isThrowOnStack(program: Program, node: CodeNode, frames: readonly LocatedFrame[]): boolean {
  const [first] = frames;
  // In a file of another version, the line of the throw isn't known, but that it is the throw.
  return (first?.place === null && first.file === program.source.name) || isOnStack(program, node, frames);
}

/** Returns the templates of the arguments, and of what the class passes to its parent. */
function templatesOf(codebase: Codebase, program: Program, raise: CodeNode): Template[] {
  const call = raise.kind === "throw" ? plain(part(raise, "value") ?? raise) : raise;
  if (call.kind !== "call") return [];
  const given = argumentsOf(call)
    .slice(0, 3)
    .flatMap(({ value }) => templateOf(codebase, program, value, depthMax) ?? []);
  const own = argumentsOf(call)
    .slice(0, 3)
    .map(({ value }) => templateOf(codebase, program, value, depthMax));
  const fromClass = is(call, "new") || given.length === 0 ? templateOfClass(codebase, program, call) : null;
  return [...own, fromClass].filter((one) => one !== null);
}

/** Finds `super(…)` in the constructor of an error's class. */
function templateOfClass(codebase: Codebase, program: Program, call: CodeNode): Template | null {
  const callee = part(call, "callee");
  const [made] = callee ? definitionsOf(codebase, program, callee) : [];
  if (made?.node.kind !== "class") return null;
  for (const node of walkOwn(part(made.node, "body") ?? made.node)) {
    if (node.kind !== "function" || !made.program.dialect.constructors.has(node.name ?? "")) continue;
    for (const one of walkOwn(node)) {
      const message =
        one.kind === "call" && (one.name === "super" || one.name === "__init__") ? argumentsOf(one)[0] : undefined;
      if (message) return templateOf(codebase, made.program, message.value, depthMax);
    }
  }
  return null;
}

/** Returns the fixed text of an expression; null when it contains no literal text. */
function templateOf(codebase: Codebase, program: Program, expression: CodeNode, depth: number): Template | null {
  if (depth === 0) return null;
  const node = plain(expression);
  const inner = (one: CodeNode | null | undefined): Template | null =>
    one ? templateOf(codebase, program, one, depth - 1) : null;
  switch (node.kind) {
    case "string":
      return (node.name ?? "").split(placeholder).slice(0, partsMax);
    case "template":
      return node.children
        .filter(({ kind }) => kind === "string")
        .map(({ name }) => name ?? "")
        .slice(0, partsMax);
    case "binary": {
      const [left, right] = [inner(part(node, "left")), inner(part(node, "right"))];
      if (node.name === "||" || node.name === "??") return left ?? right;
      return node.name !== "+" && node.name !== "%"
        ? null
        : left || right
          ? joined(left ?? ["", ""], node.name === "%" ? [""] : (right ?? ["", ""]))
          : null;
    }
    case "choice":
      return inner(part(node, "then")) ?? inner(part(node, "otherwise"));
    case "name":
    case "member":
      return constantTemplate(codebase, program, node, depth);
    case "call": {
      const callee = part(node, "callee");
      const given = formatting.test(node.name ?? "")
        ? (inner(argumentsOf(node)[0]?.value) ?? inner(receiverOf(node)))
        : null;
      // A table of messages may contain functions.
      return given ?? (callee ? constantTemplate(codebase, program, callee, depth) : null);
    }
    default:
      return null;
  }
}

function joined(left: Template, right: Template): Template {
  const [first = "", ...rest] = right;
  return [...left.slice(0, -1), `${left.at(-1) ?? ""}${first}`, ...rest].slice(0, partsMax);
}

/** Resolves a constant of this file or an imported one, and a member of a table of messages. */
function constantTemplate(codebase: Codebase, program: Program, node: CodeNode, depth: number): Template | null {
  const keys: string[] = [];
  let at = node;
  for (let on = part(at, "on"); at.kind === "member" && on !== null; on = part(at, "on")) {
    keys.unshift(at.name ?? "");
    at = on;
  }
  const binding = at.kind === "name" ? resolve(program, at.name ?? "", at) : null;
  const imported = binding && importedBy(binding);
  const found = imported
    ? findExports(codebase, program, { ...imported, path: [...imported.path, ...keys] })
    : (binding?.writes ?? []).flatMap(({ value, path }) =>
        value ? [{ kind: "value" as const, program, node: value, path: [...path, ...keys] }] : [],
      );
  for (const one of found) {
    const value = one.kind === "value" ? memberOf(one.node, one.path) : null;
    const template = one.kind === "value" && value ? templateOf(codebase, one.program, value, depth - 1) : null;
    if (template) return template;
  }
  return null;
}

function memberOf(node: CodeNode, path: readonly string[]): CodeNode | null {
  const [key, ...rest] = path;
  const at = plain(node);
  if (key === undefined) return at.kind === "function" ? (part(at, "body") ?? at) : at;
  const table = at.kind === "call" ? partsOf(at, "argument").find(({ kind }) => kind === "object") : at;
  const entry = table?.children.find((one) => one.name === key);
  const value = entry && part(entry, "value");
  return value ? memberOf(value, rest) : null;
}

/** Returns how many fixed characters of a template are in a message, in order; 0 if it doesn't match. */
function fits(template: Template, message: string): number {
  const [first = "", ...rest] = template;
  const start = message.indexOf(first);
  if (
    start < 0 ||
    (first.trim().length >= 3 && start > 0 && /\w/.test(message[start - 1] ?? "") && /\w/.test(first[0] ?? ""))
  )
    return 0;
  let at = start + first.length;
  let written = first.trim().length;
  for (const piece of rest) {
    const found = message.indexOf(piece, at);
    if (found < at) return 0;
    at = found + piece.length;
    written += piece.trim().length;
  }
  return written;
}
