import { naiveOrAware } from "../../signals/code/bad-value.ts";
import type { AnyCodeSignal } from "../../signals/signal.ts";
import { argumentsOf, lastName, receiverOf, textOf } from "../code/expressions.ts";
import { type CodeNode, isWithin } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Failure } from "../failure.ts";
import { leadsTo, placeAt, type Trail } from "../follow/trail.ts";

/** Calls that never give a time zone to the time that they make. */
const alwaysNaive: ReadonlySet<string> = new Set(["utcnow", "utcfromtimestamp"]);
/** Calls that give a time zone only where they are given one, and how many arguments they have without it. */
const naiveWith: ReadonlyMap<string, number> = new Map([
  ["now", 0],
  ["today", 0],
  ["fromtimestamp", 1],
]);

/**
 * Notes where a time is made without a time zone, if two times can't be compared for the lack of one and this is the
 * only one of the failing values that has none. Where most times of the program have none, the other one is odd.
 */
export function findNaiveTimes({ codebase }: Failure, trail: Trail): void {
  const signals = trail.signals();
  const symptom = signals.find(({ kind, args }) => kind === "bad-value" && "was" in args && args.was === naiveOrAware);
  if (!symptom) return;
  const steps = signals.filter((one) => one.kind === "value-step" && leadsTo(one, symptom));
  const naive = steps.flatMap((step) => {
    const program = codebase.of(step.subject.source);
    return program ? madeAt(program, step, isNaive).map((call) => ({ program, call, step })) : [];
  });
  const [first] = naive;
  if (!first || naive.some(({ call }) => !isWithin(call, first.call) && !isWithin(first.call, call))) return;
  const all = codebase.near().flatMap((program) => timesIn(program));
  if (all.filter(isNaive).length > all.filter((call) => !isNaive(call)).length) return;
  const { program, call, step } = first;
  trail.add({ kind: "naive-time", args: { made: textOf(call, program.source) } }, placeAt(program, call), step);
}

/** Returns the calls of a step's code that make a time. */
function madeAt(program: Program, { args, subject }: AnyCodeSignal, test: (call: CodeNode) => boolean): CodeNode[] {
  const code = "code" in args ? args.code : "";
  return timesIn(program).filter(
    (call) =>
      program.source.lineAt(call.start) === subject.line && code.includes(textOf(call, program.source)) && test(call),
  );
}

/** Returns the calls in a file that make the current time, or the time of a timestamp. */
function timesIn({ calls }: Program): CodeNode[] {
  const named = [...alwaysNaive, ...naiveWith.keys()].flatMap((name) => calls.get(name) ?? []);
  return named.filter((call) => {
    const on = receiverOf(call);
    return on !== null && lastName(on) === "datetime" && !isGivenZone(call);
  });
}

/** `datetime.utcnow().replace(tzinfo=…)`, `datetime.now().astimezone()`. */
function isGivenZone({ parent, role }: CodeNode): boolean {
  if (role !== "on" || parent?.kind !== "member") return false;
  const then = parent.parent?.kind === "call" ? parent.parent : null;
  return parent.name === "astimezone" || (then !== null && argumentsOf(then).some(({ name }) => name === "tzinfo"));
}

function isNaive(call: CodeNode): boolean {
  const name = call.name ?? "";
  return alwaysNaive.has(name) || argumentsOf(call).length <= (naiveWith.get(name) ?? -1);
}
