import { isTrained } from "../../signals/signal.ts";
import { argumentsOf, isLiteral, textOf } from "../code/expressions.ts";
import { type CodeNode, part, walkOwn } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";

/** An error that is caught and not passed on. */
interface SwallowedError {
  readonly node: CodeNode;
  /** The first call of the `try` block. */
  readonly call: string | null;
}

const logging =
  /^(?:debug|info|warn|warning|error|exception|log|print|println|puts|p|printf|printStackTrace|trace|getMessage|format|class|message|to_s|str|repr|getLogger|String|stringify)$/;
const catchesMax = 40;
const swallowedMax = 12;

/** Notes handlers that only log, or return an empty value, in functions on the trail. */
export function findSwallowed({ codebase }: Failure, trail: Trail): void {
  const seen = trail.signals().filter(({ kind }) => isTrained(kind));
  const functions = new Set(seen.map(({ subject }) => `${subject.file}:${subject.function}`));
  const isOnTrail = (program: Program, node: CodeNode): boolean => {
    const { file, function: name } = placeAt(program, node);
    return functions.has(`${file}:${name}`);
  };
  const found = codebase
    .own()
    .flatMap((program) =>
      swallowedIn(program).flatMap((one) => (isOnTrail(program, one.node) ? [{ program, ...one }] : [])),
    );
  for (const { program, node, call } of found.slice(0, swallowedMax))
    trail.add({ kind: "swallowed-error", args: { call } }, placeAt(program, node), null, 1);
}

function swallowedIn(program: Program): SwallowedError[] {
  const handlers = program.catches
    .slice(0, catchesMax)
    .filter(isSilent)
    .map((node) => ({ node, call: triedCall(program, node) }));
  return [...handlers, ...silentCallbacks(program)];
}

function isSilent(handler: CodeNode): boolean {
  const body = part(handler, "body");
  return body !== null && gives(body);
}

/** Finds `.catch(() => {})`. */
function silentCallbacks(program: Program): SwallowedError[] {
  if (program.dialect.waiting !== "promises") return [];
  return (program.calls.get("catch") ?? []).slice(0, catchesMax).flatMap((node) => {
    const handler = argumentsOf(node)[0]?.value;
    const body = handler?.kind === "function" ? part(handler, "body") : null;
    const callee = part(node, "callee");
    const isBare = body !== null && (body.kind === "block" ? gives(body) : isEmpty(body));
    return isBare && callee ? [{ node, call: textOf(part(callee, "on") ?? node, program.source) }] : [];
  });
}

/**
 * Returns whether a block discards the error: it throws nothing, returns no value, and calls only a logger. `leaving`
 * allows it to end a round of a loop, or the loop.
 */
export function gives(body: CodeNode, leaving = false): boolean {
  for (const node of walkOwn(body)) {
    if (node.kind === "leave" && leaving) continue;
    if (node.kind === "throw" || node.kind === "leave" || node.kind === "yield") return false;
    if (node.kind === "return" && !isEmpty(part(node, "value"))) return false;
    if (node.kind === "assign" && !isEmpty(part(node, "value"))) return false;
    if (node.kind === "call" && !logging.test(node.name ?? "")) return false;
  }
  return true;
}

/** Returns whether a value is missing, an empty literal, or an empty collection. */
function isEmpty(value: CodeNode | null): boolean {
  if (!value || isLiteral(value)) return true;
  return (value.kind === "object" || value.kind === "list") && value.children.length === 0;
}

function triedCall({ source }: Program, handler: CodeNode): string | null {
  const body = handler.parent ? part(handler.parent, "body") : null;
  if (!body) return null;
  for (const node of walkOwn(body)) if (node.kind === "call") return textOf(part(node, "callee") ?? node, source);
  return null;
}
