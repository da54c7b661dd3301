import type { CodeSignal } from "../../signals/signal.ts";
import { classesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import { pathOf } from "../code/expressions.ts";
import { nodesBetween, part } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Failure } from "../failure.ts";
import { Tracer } from "../follow/tracer.ts";
import { Trail } from "../follow/trail.ts";
import { anything } from "../follow/wanted.ts";
import { type Filler, fillersOf } from "./field-fillers.ts";

/** If more values fill a field, it is that of several kinds of objects. */
const fillersMax = 12;
/** The same where the class of the object isn't known. */
const fillersOfAnyMax = 3;
const nodesOfLineMax = 2_000;

type BadValue = CodeSignal<"bad-value">;

/**
 * Notes the only call whose promise fills the field that failed, where the code doesn't show the way of the object from
 * there to the failure: through a queue, a cache, or a framework.
 */
export function findUnawaitedFields({ codebase }: Failure, trail: Trail): void {
  const signals = trail.signals();
  if (signals.some(({ kind }) => kind === "unawaited-value")) return;
  for (const signal of signals) {
    const program = codebase.of(signal.subject.source);
    const read = signal.kind === "bad-value" && program ? fieldRead(program, signal) : null;
    if (!program || !read || signal.kind !== "bad-value") continue;
    const [only, ...others] = promisesIn(codebase, trail, signal, fillersFor(codebase, program, signal, read), read);
    if (only && others.length === 0) trail.add({ kind: only.kind, args: only.args }, only.subject, signal);
  }
}

interface FieldRead {
  /** The variable and its fields, down to the one that may hold a promise. */
  readonly path: readonly string[];
  /** What is read of the promise. */
  readonly rest: readonly string[];
}

/** Returns the field that a promise may be in: the one that failed, or the one whose member is missing. */
function fieldRead({ dialect }: Program, { args: { path = [], was } }: BadValue): FieldRead | null {
  const isSaid = dialect.promiseInMessage?.test(was) ?? false;
  const read = isSaid
    ? { path, rest: [] }
    : dialect.waiting === "promises"
      ? { path: path.slice(0, -1), rest: path.slice(-1) }
      : null;
  return read && read.path.length > 1 ? read : null;
}

function fillersFor(codebase: Codebase, program: Program, { subject }: BadValue, { path }: FieldRead): Filler[] {
  const { start, end } = program.source.lines(subject.line, subject.line);
  const nodes = nodesBetween(program.tree, start, end, nodesOfLineMax);
  const read = nodes.find((node) => node.kind === "member" && pathOf(node)?.join(".") === path.join("."));
  const on = read && part(read, "on");
  if (!read?.name || !on) return [];
  const [owner] = classesOf(codebase, program, on);
  const fillers = fillersOf(codebase, read.name, owner?.node.name ?? null);
  return fillers.length <= (owner ? fillersMax : fillersOfAnyMax) ? fillers : [];
}

function promisesIn(
  codebase: Codebase,
  { messages }: Trail,
  { kind, args, subject }: BadValue,
  fillers: readonly Filler[],
  { rest }: FieldRead,
): CodeSignal<"unawaited-value">[] {
  const trail = new Trail(messages);
  const from = trail.add({ kind, args }, subject, null);
  const start = { path: rest, wanted: anything, frame: null, via: null, awaits: [], from };
  for (const filler of fillers) new Tracer(codebase, [], trail).run({ ...filler, ...start });
  return trail.signals().filter((one) => one.kind === "unawaited-value");
}
