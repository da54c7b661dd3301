import type { AnyCodeSignal } from "../../signals/signal.ts";
import { rootOf, textOf } from "../code/expressions.ts";
import { nameAround } from "../code/functions.ts";
import { around, type CodeNode, functionNodesMax, part, walk, walkOwn } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Trail } from "../follow/trail.ts";

/**
 * Returns a test of whether the failing value, or the check that threw, depends on code: a step of the trail is on its
 * lines, or names a variable that is computed from it. To be in the same function shows nothing.
 */
export function tiesToTrail(trail: Trail): (program: Program, node: CodeNode) => boolean {
  const signals = trail.signals().filter((signal) => codeOf(signal) !== null);
  return (program, node) => {
    const steps = signals.filter(({ subject }) => subject.file === program.source.name);
    if (steps.some((step) => isOn(program, node)(step) || isInCondition(program, node, step))) return true;
    const scope = around(node, "function") ?? around(node, "module") ?? node;
    const named = new Set(steps.filter(isOn(program, scope)).flatMap(namesIn));
    return named.size > 0 && variablesFrom(scope, node).some((name) => named.has(name));
  };
}

function isOn({ source }: Program, { start, end }: CodeNode): (step: AnyCodeSignal) => boolean {
  const [from, to] = [source.lineAt(start), source.lineAt(end)];
  return ({ subject: { line } }) => line >= from && line <= to;
}

/** Returns whether code is part of the condition of a throw, which may be on another line. */
function isInCondition({ source }: Program, node: CodeNode, step: AnyCodeSignal): boolean {
  if (step.kind !== "deliberate-throw" || nameAround(node) !== step.subject.function) return false;
  return step.args.condition?.includes(textOf(node, source)) ?? false;
}

/** Names in code, without those of fields and of keys in quotes. */
const variable = /(?<![.\w$"'`])[A-Za-z_$][\w$]*/g;

function namesIn(step: AnyCodeSignal): string[] {
  return codeOf(step)?.match(variable) ?? [];
}

/** Returns a step's code, the expression that failed, or the condition of a throw; null for what no value passed. */
function codeOf({ kind, args }: AnyCodeSignal): string | null {
  switch (kind) {
    case "value-step":
      return args.code;
    case "bad-value":
      return args.expression;
    case "deliberate-throw":
      return args.condition;
    default:
      return null;
  }
}

/** Returns the variables of a function that are computed from code, in any number of assignments. */
function variablesFrom(scope: CodeNode, code: CodeNode): string[] {
  const from = new Set<string>();
  for (const node of walkOwn(scope)) {
    const value = node.kind === "declare" || node.kind === "assign" ? part(node, "value") : null;
    if (!value || value.kind === "function") continue;
    const isFrom = [...walk(value, functionNodesMax)].some(
      (one) => one === code || (one.kind === "name" && one.name !== null && from.has(one.name)),
    );
    const target = part(node, "target");
    const name = target ? rootOf(target).name : node.name;
    if (isFrom && name !== null) from.add(name);
  }
  return [...from];
}
