import { isMissingValue } from "../../signals/code/bad-value.ts";
import type { AnyCodeSignal, CodeSignal } from "../../signals/signal.ts";
import type { Failure } from "../failure.ts";
import { callsClearing } from "../follow/sql-calls.ts";
import { leadsTo, placeAt, type Trail } from "../follow/trail.ts";

/** Calls that read rows. */
const reading: ReadonlySet<string> = new Set(
  "execute query fetch fetchone fetchall fetchmany fetchrow all get each first one raw select prepare find".split(" "),
);
const columnsMax = 8;
/** If more statements clear it, a row without it is nothing unusual. */
const clearingMax = 2;

/**
 * Notes statements that set a column to nothing and keep the row, if the failing code finds nothing in a field of that
 * name, and the field is read from rows.
 */
export function findClearedColumns({ codebase }: Failure, trail: Trail): void {
  const signals = trail.signals();
  for (const symptom of signals) {
    if (symptom.kind !== "bad-value" || !isMissingValue(symptom.args)) continue;
    const steps = signals.filter((one) => one.kind === "value-step" && leadsTo(one, symptom));
    if (!steps.some(isRead)) continue;
    for (const column of columnsRead(symptom, steps)) {
      const found = codebase
        .own()
        .flatMap((program) => callsClearing(codebase, program, column).map((one) => ({ program, ...one })));
      if (found.length > clearingMax) continue;
      for (const { program, call, table } of found)
        trail.add({ kind: "cleared-column", args: { column, table } }, placeAt(program, call), symptom);
    }
  }
}

function isRead({ kind, args }: AnyCodeSignal): boolean {
  return (
    kind === "value-step" &&
    (args.how === "call" || args.how === "outside-answer") &&
    reading.has(args.name.toLowerCase())
  );
}

/** Returns the fields that the missing value itself is read from, in the code that leads to it. */
function columnsRead({ args, subject }: CodeSignal<"bad-value">, steps: readonly AnyCodeSignal[]): string[] {
  const read = steps.flatMap((step) =>
    step.kind === "value-step" && step.args.how === "property" && step.subject.function === subject.function
      ? [step.args.path?.at(-1) ?? step.args.name]
      : [],
  );
  const [, key] = /\[["'](\w+)["']\]$/.exec(args.expression) ?? [];
  const own = args.path ?? [];
  const names = new Set([...(own.length > 1 ? own.slice(-1) : []), ...(key === undefined ? [] : [key]), ...read]);
  return [...names].filter((name) => /^\w{2,80}$/.test(name)).slice(0, columnsMax);
}
