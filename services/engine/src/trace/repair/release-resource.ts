import type { RemedyOf } from "../../signals/code/remedy.ts";
import { newlineOf } from "../../source/newline-of.ts";
import { argumentsOf, heldBy, isAwaited, lastName, receiverOf, textOf } from "../code/expressions.ts";
import { around, type CodeNode, is, part, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Broken, Edit, Repairing } from "./repair.ts";

const releasing: ReadonlySet<string> = new Set(
  "release destroy end close free unlock give_back giveBack put checkin dispose".split(" "),
);
const longestUnits = 4_000;

/** A call that takes something, and what keeps its result; null where nothing does. */
interface Taking {
  readonly program: Program;
  readonly call: CodeNode;
  readonly owner: CodeNode;
  readonly holder: string | null;
}

/**
 * Releases what a function takes, in a `finally`, as another function does that takes the same: in an empty `finally`
 * where there is one, or else around the rest of the block.
 */
export const releaseResource: Repairing<RemedyOf<"release">> = ({ acquire }, broken) => {
  const { program, signal } = broken;
  const { source } = program;
  const name = /[\w$]+$/.exec(acquire)?.[0] ?? "";
  const [taking, other] = takings(broken, program, name).filter(
    ({ call }) => source.lineAt(call.start) === signal.subject.line,
  );
  const release = taking && !other ? releaseFor(taking, broken, name) : null;
  if (!taking || release === null || releasesOf(taking).length > 0) return null;
  const edits = inFinally(taking, release) ?? aroundRest(taking, release);
  return edits && { by: "release", edits, subject: textOf(part(taking.call, "callee") ?? taking.call, source) };
};

function takings({ codebase }: Broken, only: Program | null, name: string): Taking[] {
  return (only ? [only] : codebase.near()).flatMap((program) =>
    (program.calls.get(name) ?? []).flatMap((call) => {
      const owner = around(call, "function");
      return owner ? [{ program, call, owner, holder: heldBy(call) }] : [];
    }),
  );
}

/** Returns the calls in a function that release what it acquired. */
function releasesOf({ program, call, owner, holder }: Taking): CodeNode[] {
  const receiver = textOfReceiver(program, call);
  return [...walk(owner)].filter((node) => {
    if (node.kind !== "call" || node.start <= call.end || !releasing.has(node.name ?? "")) return false;
    const on = receiverOf(node);
    if (holder !== null && on && lastName(on) === holder) return true;
    const isOfSame = receiver !== null && textOfReceiver(program, node) === receiver;
    return isOfSame && (holder === null || argumentsOf(node).some(({ value }) => lastName(value) === holder));
  });
}

function textOfReceiver({ source }: Program, call: CodeNode): string | null {
  const on = receiverOf(call);
  return on && textOf(on, source);
}

/** Returns the code that releases what a call takes, copied from another function. */
function releaseFor(taking: Taking, broken: Broken, name: string): string | null {
  const { program, call, holder } = taking;
  const receiver = textOfReceiver(program, call);
  for (const other of takings(broken, null, name)) {
    if (other.call === call || (holder === null) !== (other.holder === null)) continue;
    const [release] = releasesOf(other);
    const on = release && textOfReceiver(other.program, release);
    if (!release || on === null || on === undefined) continue;
    const wait = isAwaited(release) ? "await " : "";
    if (wait !== "" && !is(taking.owner, "async")) continue;
    const given = argumentsOf(release).map(({ value }) => textOf(value, other.program.source));
    if (holder !== null && on === other.holder && given.length === 0) return `${wait}${holder}.${release.name}()`;
    if (receiver === null || on !== textOfReceiver(other.program, other.call)) continue;
    if (holder !== null && given.join() === other.holder) return `${wait}${receiver}.${release.name}(${holder})`;
    const taken = argumentsOf(other.call).map(({ value }) => textOf(value, other.program.source));
    if (holder === null && given.join() === taken.join())
      return `${wait}${receiver}.${release.name}(${argumentsOf(call)
        .map(({ value }) => textOf(value, program.source))
        .join(", ")})`;
  }
  return null;
}

/** Returns the edit that fills an empty `finally` after the call. */
function inFinally({ program, call, owner }: Taking, release: string): Edit[] | null {
  const { source, dialect } = program;
  const empty = [...walk(owner)]
    .filter(({ kind, start }) => kind === "try" && start > call.start)
    .flatMap((node) => {
      const final = part(node, "final");
      return final && /^(?:\{\s*\}|pass)$/.test(source.text.slice(final.start, final.end)) ? [{ node, final }] : [];
    });
  const [only, other] = empty;
  if (!only || other) return null;
  const indent = indentAt(program, only.node.start);
  const newline = newlineOf(source);
  const text = dialect.writing?.isIndented
    ? release
    : `{${newline}${indent}${unitOf(program)}${release};${newline}${indent}}`;
  return [{ source, start: only.final.start, end: only.final.end, text }];
}

/** Returns the edits that put the rest of the block into a `try`. */
function aroundRest({ program, call }: Taking, release: string): Edit[] | null {
  const { source, dialect } = program;
  const block = around(call, "block");
  const statement = block?.children.find(({ start, end }) => start <= call.start && call.end <= end);
  const last = block?.children.at(-1);
  if (!statement || !last || statement === last) return null;
  const from = source.lines(source.lineAt(statement.end) + 1, source.lineAt(statement.end) + 1).start;
  const to = source.lines(source.lineAt(last.end), source.lineAt(last.end)).end;
  const text = source.text.slice(from, to);
  const indent = indentAt(program, statement.start);
  const isApart =
    text.length < longestUnits &&
    from > statement.end &&
    !hasLongText.test(text) &&
    text.split("\n").every((line) => line.trim() === "" || line.startsWith(indent));
  if (!isApart) return null;
  const unit = unitOf(program);
  const inner = text.replace(/^(?=.*\S)/gm, unit);
  const [open, ...close] = dialect.writing?.isIndented
    ? [`${indent}try:`, `${indent}finally:`, `${indent}${unit}${release}`]
    : [`${indent}try {`, `${indent}} finally {`, `${indent}${unit}${release};`, `${indent}}`];
  return [{ source, start: from, end: to, text: [open, inner, ...close].join(newlineOf(source)) }];
}

/** Texts of several lines, whose lines an indentation changes. */
const hasLongText = /`|"""|'''/;

function indentAt({ source }: Program, position: number): string {
  return /^[ \t]*/.exec(source.line(source.lineAt(position)))?.[0] ?? "";
}

/** Returns one step of the indentation of a file. */
function unitOf({ source, dialect }: Program): string {
  return /^(?:\t| {2,8})(?=\S)/m.exec(source.text)?.[0] ?? (dialect.writing?.isIndented ? "    " : "  ");
}
