import type { AnyCodeSignal } from "../../signals/signal.ts";
import type { Codebase } from "../code/codebase.ts";
import { plain } from "../code/expressions.ts";
import { leaves, returnsOf } from "../code/functions.ts";
import { type CodeNode, part, walkOwn } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";

/**
 * Notes a function on the trail that returns what a function it was passed returns, and ends without a value after that
 * one failed: a retry, a decorator. If another function on the trail ends without a value, it may be meant instead, as
 * may a store without the key, unless every error is handled.
 */
export function findSilentWrappers({ codebase }: Failure, trail: Trail): void {
  const signals = trail.signals();
  const silent = signals.filter((one) => one.kind === "value-step" && one.args.how === "returns-nothing");
  const wrappers = silent.map((signal) => ({ signal, found: wrapperAt(codebase, signal) }));
  const [first] = wrappers;
  const owners = new Set(silent.map(({ subject }) => `${subject.file}:${subject.function}`));
  if (!first?.found || owners.size > 1) return;
  const { program, handler, calls } = first.found;
  if (isOfSomeErrors(program, handler) && signals.some((one) => isLookupReturned(one, signals))) return;
  trail.add({ kind: "silent-wrapper", args: { calls } }, placeAt(program, handler), first.signal.towards);
}

interface Wrapper {
  readonly program: Program;
  /** Where it handles the error of what it calls. */
  readonly handler: CodeNode;
  /** The name of what it calls. */
  readonly calls: string;
}

function wrapperAt(codebase: Codebase, { subject }: AnyCodeSignal): Wrapper | null {
  const program = codebase.of(subject.source);
  if (!program || program.isInstalled) return null;
  for (const node of program.functions) {
    if (program.source.lineAt(node.start) !== subject.line) continue;
    const calls = returnsOf(program, node).flatMap((value) => (value && passedTo(program, value)) ?? [])[0];
    const handler =
      calls &&
      [...walkOwn(node)].find((one) => one.kind === "catch" && handles(one, calls) && !isOfAbsence(program, one));
    if (calls && handler) return { program, handler, calls };
  }
  return null;
}

/** Returns the parameter that an expression calls; null for any other expression. */
function passedTo(program: Program, value: CodeNode): string | null {
  const call = plain(value);
  const callee = call.kind === "call" ? part(call, "callee") : null;
  if (callee?.kind !== "name" || callee.name === null) return null;
  return resolve(program, callee.name, callee)?.kind === "parameter" ? callee.name : null;
}

/** Returns whether a handler goes on after an error of a call. */
function handles(handler: CodeNode, called: string): boolean {
  const tried = handler.parent && part(handler.parent, "body");
  const isOfCall = tried && [...walkOwn(tried)].some(({ kind, name }) => kind === "call" && name === called);
  return isOfCall === true && !leaves(part(handler, "body"));
}

/** Returns whether a handler is for what isn't there: having no value for it is what callers expect. */
function isOfAbsence(program: Program, handler: CodeNode): boolean {
  return absent.test(caughtBy(program, handler));
}

const absent = /NotFound|NoSuch|NoResult|DoesNotExist|Missing|KeyError|LookupError|IndexError/i;

/** Returns whether a handler names the errors that it is for. */
function isOfSomeErrors(program: Program, handler: CodeNode): boolean {
  const caught = caughtBy(program, handler);
  return /\b[A-Z]\w+/.test(caught) && !/\b(?:(?:Base)?Exception|StandardError|Throwable)\b/.test(caught);
}

/** Returns the text of a handler before its body. */
function caughtBy({ source }: Program, handler: CodeNode): string {
  return source.text.slice(handler.start, part(handler, "body")?.start ?? handler.start);
}

/** Returns whether a step looks a key up in a store, and a function returns just that. */
function isLookupReturned({ kind, args, subject }: AnyCodeSignal, signals: readonly AnyCodeSignal[]): boolean {
  if (kind !== "value-step" || args.how !== "lookup" || !inStore.test(args.code)) return false;
  return signals.some(
    (one) =>
      one.kind === "value-step" &&
      one.args.how === "return" &&
      one.args.code === args.code &&
      one.subject.file === subject.file &&
      one.subject.line === subject.line,
  );
}

/** A lookup in what has a value for some keys only: the `get` of an HTTP client always has an answer. */
const inStore = /(?:cache|store|redis|registry|map|table|dict|memo)\w*(?:\(\))?\.get\(/i;
