import type { CodePlace } from "../findings/located-frame.ts";
import { isMissingValue } from "../signals/code/bad-value.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import { isTestOnStack } from "../source/test-file.ts";
import type { Codebase } from "./code/codebase.ts";
import { nameAround } from "./code/functions.ts";

/** A field that was missing where the error was thrown, and the places that assign to a field of this name. */
export interface FieldWriters {
  readonly field: string;
  readonly places: readonly CodePlace[];
}

/** If a field of this name is set in more places, they are of several classes. */
const placesMax = 6;

/**
 * Returns what sets the field that was missing at the throw, whichever of these places is the cause. Null where another
 * value failed, or many places set a field of this name.
 */
export function fieldWriters(codebase: Codebase, signals: readonly AnyCodeSignal[]): FieldWriters | null {
  const field = missingField(signals);
  if (field === null) return null;
  const writes = codebase
    .all()
    .filter(({ isInstalled, source }) => !isInstalled && !isTestOnStack(source.name))
    .flatMap(({ fieldWrites, source }) =>
      (fieldWrites.get(field) ?? []).map(({ node, target }): CodePlace => {
        const at = target ?? node;
        return { file: source.name, line: source.lineAt(at.start), function: nameAround(at), source };
      }),
    );
  const places = [...new Map(writes.map((one) => [`${one.file}:${one.line}`, one])).values()];
  return places.length === 0 || places.length > placesMax ? null : { field, places };
}

/** Returns the field that the failing value was read from: at the throw itself, or before it was put into a variable. */
function missingField(signals: readonly AnyCodeSignal[]): string | null {
  const failed = signals.find(({ kind, steps }) => kind === "bad-value" && steps === 0);
  if (failed?.kind !== "bad-value" || failed.args.others || !isMissingValue(failed.args)) return null;
  const own = failed.args.path ?? [];
  if (own.length > 1) return own.at(-1) ?? null;
  const read = signals.find(
    (one) =>
      one.kind === "value-step" &&
      one.args.how === "property" &&
      (one.args.path?.length ?? 0) > 1 &&
      leadsTo(one, failed),
  );
  return read?.kind === "value-step" ? (read.args.path?.at(-1) ?? null) : null;
}

/** Returns whether a step is read right into the variable that failed, without a call between. */
function leadsTo(step: AnyCodeSignal, failed: AnyCodeSignal): boolean {
  for (let at = step.towards; at !== null; at = at.towards) {
    if (at === failed) return true;
    if (at.kind !== "value-step" || !["assignment", "property"].includes(at.args.how)) return false;
  }
  return false;
}
