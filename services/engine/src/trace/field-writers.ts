import type { CodePlace } from "../findings/located-frame.ts";
import { isMissingValue } from "../signals/code/bad-value.ts";
import type { ValueSource } from "../signals/code/value-sources.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import { isTestOnStack } from "../source/test-file.ts";
import type { Codebase } from "./code/codebase.ts";
import { nameAround } from "./code/functions.ts";
import { type CodeNode, is, nodesBetween } from "./code/ir.ts";
import type { Program, Write } from "./code/program.ts";
import { resolve } from "./code/scopes.ts";

/** A field that was missing where the error was thrown, and the places that assign to a field of this name. */
export interface FieldWriters {
  readonly field: string;
  readonly places: readonly CodePlace[];
}

/** If a field of this name is set in more places, they are of several classes. */
const placesMax = 6;
const nodesOfLineMax = 2_000;

/**
 * Returns what sets the field that was missing at the throw, whichever of these places is the cause. Null where another
 * value failed, or many places set a field of this name.
 */
export function fieldWriters(codebase: Codebase, signals: readonly AnyCodeSignal[]): FieldWriters | null {
  const field = missingField(codebase, signals);
  if (field === null) return null;
  const writes = codebase
    .all()
    .filter(({ isInstalled, source }) => !isInstalled && !isTestOnStack(source.name))
    .flatMap((program) =>
      writesOf(program, field).map(({ node, target }): CodePlace => {
        const { source } = program;
        const at = target ?? node;
        return { file: source.name, line: source.lineAt(at.start), function: nameAround(at), source };
      }),
    );
  const places = [...new Map(writes.map((one) => [`${one.file}:${one.line}`, one])).values()];
  return places.length === 0 || places.length > placesMax ? null : { field, places };
}

/** Returns the writes to fields of a name, also those where the object is left out. */
function writesOf(program: Program, field: string): Write[] {
  const bare = program.nameWrites.filter(
    ({ name, target }) => name === field && target !== null && isOwnField(program, target),
  );
  return [...(program.fieldWrites.get(field) ?? []), ...bare].filter(({ value }) => value !== null);
}

/**
 * Returns the field that the failing value was read from: at the throw itself, before it was put into a variable, or in
 * a function that only returns it.
 */
function missingField(codebase: Codebase, signals: readonly AnyCodeSignal[]): string | null {
  const failed = signals.find(({ kind, steps }) => kind === "bad-value" && steps === 0);
  if (failed?.kind !== "bad-value" || failed.args.others || !isMissingValue(failed.args)) return null;
  const own = fieldAt(codebase, failed, failed.args.path);
  if (own !== null) return own;
  const read = signals.find(
    (one) =>
      one.kind === "value-step" &&
      (one.args.how === "property" || one.args.how === "return") &&
      fieldAt(codebase, one, one.args.path) !== null &&
      leadsTo(one, failed),
  );
  return read?.kind === "value-step" ? fieldAt(codebase, read, read.args.path) : null;
}

/** Returns the last field of a path that is read where a signal is; null for a variable. */
function fieldAt(codebase: Codebase, { subject }: AnyCodeSignal, path: readonly string[] = []): string | null {
  const [first, ...rest] = path;
  if (first === undefined) return null;
  return rest.at(-1) ?? (isOwnFieldAt(codebase, subject, first) ? first : null);
}

function isOwnFieldAt(codebase: Codebase, { file, line }: AnyCodeSignal["subject"], name: string): boolean {
  const program = codebase.all().find(({ source }) => source.name === file);
  if (!program) return false;
  const { start, end } = program.source.lines(line, line);
  const nodes = nodesBetween(program.tree, start, end, nodesOfLineMax);
  return nodes.some((node) => node.start >= start && node.name === name && isOwnField(program, node));
}

/** Returns whether code names a field of its object without the object: `@name`, or a name that the class declares. */
function isOwnField(program: Program, node: CodeNode): boolean {
  if (node.kind === "member") return node.children.length === 0;
  if (node.kind !== "name" || node.name === null || !program.dialect.hasImplicitSelf) return false;
  const binding = resolve(program, node.name, node);
  // An assignment that nothing declares is taken for a variable of the file.
  const isUndeclared = binding === null || (binding.scope === program.tree && binding.node.kind === "assign");
  return isUndeclared && (program.fieldWrites.get(node.name) ?? []).some((write) => is(write.node, "field"));
}

/** Returns whether a step is read right into the variable that failed; the only call between is of what returns it. */
function leadsTo(step: AnyCodeSignal, failed: AnyCodeSignal): boolean {
  let before = howOf(step);
  for (let at = step.towards; at !== null; at = at.towards) {
    if (at === failed) return true;
    const how = howOf(at);
    const isCallOfIt = how === "call" && before === "return";
    if (how !== "assignment" && how !== "property" && !isCallOfIt) return false;
    before = how;
  }
  return false;
}

function howOf(signal: AnyCodeSignal): ValueSource | null {
  return signal.kind === "value-step" ? signal.args.how : null;
}
