import { calleesOf } from "../../code/calls.ts";
import type { Codebase } from "../../code/codebase.ts";
import { argumentsOf, plain, textOf } from "../../code/expressions.ts";
import { type CodeNode, is, part } from "../../code/ir.ts";
import { type Program, parametersOf } from "../../code/program.ts";
import { type Unit, unitInName, unitOf } from "./units.ts";

/** A value, and the unit in which it has to be. */
export interface Expected {
  readonly value: CodeNode;
  readonly unit: Unit;
  /** What takes it: a name, or a call. */
  readonly by: string;
}

/** What well-known calls take, by their text: the position of the argument and its unit. */
const positions: readonly (readonly [RegExp, number, Unit])[] = [
  [/^(?:setTimeout|setInterval)$/, 1, unitOf("ms")],
  [/^(?:AbortSignal\.timeout|Date)$/, 0, unitOf("ms")],
  [/^(?:time|asyncio|anyio|trio)\.sleep$|\.settimeout$|^(?:datetime\.)+(?:utc)?fromtimestamp$/, 0, unitOf("seconds")],
  [/^asyncio\.(?:timeout)$/, 0, unitOf("seconds")],
  [/^asyncio\.wait_for$/, 1, unitOf("seconds")],
  [/\.(?:setex|setEx|expire)$/, 1, unitOf("seconds")],
  [/\.(?:psetex|pSetEx|pexpire|pExpire)$/, 1, unitOf("ms")],
];

/** Returns the units that a call requires of its arguments. */
export function expectedOfCall(codebase: Codebase, program: Program, call: CodeNode): Expected[] {
  const callee = part(call, "callee");
  const text = callee ? textOf(callee, program.source) : "";
  const given = argumentsOf(call);
  const byPosition = positions.flatMap(([pattern, position, unit]) => {
    const argument = given[position];
    const isFit = pattern.test(text) && (text !== "Date" || (is(call, "new") && given.length === 1));
    return isFit && argument?.name === null ? [{ value: argument.value, unit, by: text }] : [];
  });
  const byName = given.flatMap(({ name, value }) => {
    if (name === null) return [];
    const known = program.dialect.durations.find(({ callee: one, argument }) => one.test(text) && argument.test(name));
    const unit = known && (known.unit === "named" ? unitInName(name) : unitOf(known.unit));
    return unit ? [{ value, unit, by: `${text}(${name}=…)` }] : [];
  });
  return [...byPosition, ...byName, ...ofParameters(codebase, program, call)];
}

function ofParameters(codebase: Codebase, program: Program, call: CodeNode): Expected[] {
  const [callee, ...others] = calleesOf(codebase, program, call);
  if (!callee || others.length > 0 || callee.program.isInstalled) return [];
  const all = parametersOf(callee.node);
  const parameters =
    callee.program.dialect.hasSelfParameter && /^(?:self|cls)$/.test(all[0]?.name ?? "") ? all.slice(1) : all;
  return argumentsOf(call).flatMap(({ name, value }, position) => {
    const parameter = name === null ? parameters[position] : parameters.find((one) => one.name === name);
    const unit = parameter?.name ? unitInName(parameter.name) : null;
    return unit && parameter?.name ? [{ value, unit, by: parameter.name }] : [];
  });
}

/** Returns the unit in the name of a declaration, an assignment, or an entry. */
export function expectedOfName(node: CodeNode): Expected[] {
  const value = part(node, "value");
  if (!value || plain(value).kind === "function") return [];
  const target = node.kind === "declare" || node.kind === "entry" ? null : part(node, "target");
  if (node.kind === "assign" && node.name !== "=" && node.name !== "+=" && node.name !== "-=") return [];
  const name = target ? target.name : node.kind === "assign" ? null : node.name;
  const isPattern = target !== null && target.kind !== "name" && target.kind !== "member";
  const unit = name && !isPattern ? unitInName(name) : null;
  return unit && name ? [{ value, unit, by: name }] : [];
}
