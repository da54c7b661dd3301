import type { AnyCodeSignal } from "../../signals/signal.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, plain, textOf } from "../code/expressions.ts";
import { around, type CodeNode, functionNodesMax, isWithin, part, walkOwn } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { placeAt, type Trail } from "../follow/trail.ts";

/** Calls that convert what only begins like, or contains, what they are for. */
const lenient: ReadonlySet<string> = new Set(["coerce", "parseInt", "parseFloat"]);
/** How many calls are looked at in a file. */
const callsMax = 100;
/** If more places do it, none of them is more likely than the others. */
const foundMax = 2;
const codeUnitsMax = 60;

/**
 * Notes checks that throw where a lenient conversion fails and otherwise pass on the value as it was, under the name of
 * a field that the failing line reads.
 */
export function findLenientChecks(codebase: Codebase, trail: Trail): void {
  const signals = trail.signals();
  const symptom = signals.find(({ kind }) => kind === "throw-site" || kind === "bad-value");
  if (!symptom) return;
  const fields = fieldsReadAt(signals, symptom);
  const found = codebase
    .own()
    .flatMap((program) =>
      checksIn(program).flatMap((call) =>
        fields.filter((field) => passesOn(call, field)).map((field) => ({ program, call, field })),
      ),
    );
  if (found.length > foundMax) return;
  for (const { program, call, field } of found) {
    const args = { check: textOf(call, program.source, codeUnitsMax), field };
    trail.add({ kind: "lenient-check", args }, placeAt(program, call), symptom);
  }
}

function fieldsReadAt(signals: readonly AnyCodeSignal[], { subject }: AnyCodeSignal): string[] {
  const read = signals.flatMap(({ kind, args, subject: at }) =>
    kind === "value-step" && args.how === "property" && at.file === subject.file && at.line === subject.line
      ? [args.name]
      : [],
  );
  return [...new Set(read)];
}

/** Returns lenient conversions of a variable in conditions under which code throws. */
function checksIn(program: Program): CodeNode[] {
  const calls = [...lenient].flatMap((name) => program.calls.get(name) ?? []).slice(0, callsMax);
  const raises = new Set(program.raises);
  return calls.filter((call) => {
    const check = around(call, "if");
    const condition = check && part(check, "condition");
    const then = check && part(check, "then");
    if (!condition || !then || !isWithin(call, condition) || variableIn(call) === null) return false;
    return [...walkOwn(then)].some((node) => node.kind === "throw" || raises.has(node));
  });
}

function variableIn(call: CodeNode): string | null {
  const [first] = argumentsOf(call);
  const value = first && plain(first.value);
  return value?.kind === "name" ? value.name : null;
}

/** Returns whether the function of a check passes on the checked variable itself as a field. */
function passesOn(call: CodeNode, field: string): boolean {
  const variable = variableIn(call);
  if (!call.owner || variable === null) return false;
  const nodes = [...walkOwn(call.owner)].slice(0, functionNodesMax);
  const isConverted = nodes.some(
    (node) => node.kind === "assign" && node.start > call.end && part(node, "target")?.name === variable,
  );
  return !isConverted && nodes.some((node) => node.start > call.end && isSet(node, field, variable));
}

/** `{ field: variable }`, `row.field = variable`. */
function isSet(node: CodeNode, field: string, variable: string): boolean {
  const target = node.kind === "assign" ? part(node, "target") : node;
  const isField = node.kind === "entry" ? node.name === field : target?.kind === "member" && target.name === field;
  const value = part(node, "value");
  return isField && value !== null && plain(value).kind === "name" && plain(value).name === variable;
}
