import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, isSame, keyText, plain, receiverOf, textOf } from "../code/expressions.ts";
import { type CodeNode, functionNodesMax, is, partsOf, walkOwn } from "../code/ir.ts";
import { patternsOf } from "../code/patterns.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { functionsOnTrail } from "./functions-on-trail.ts";
import { type OwnNode, ownCalls } from "./own-nodes.ts";
import { tiesToTrail } from "./ties-to-trail.ts";

/** Getters whose result depends on the time zone of the process. */
const local = ["getDay", "getDate", "getMonth", "getFullYear", "getHours"];
/** The pattern of a date without a time, which allows for nothing before or after it. */
const wholeDate =
  /^\^\(?(?:\?<\w+>)?(?:\\d\{4\}|\\d\\d\\d\\d|\[0-9\]\{4\})\)?-\(?(?:\?<\w+>)?(?:\\d\{2\}|\\d\\d|\[0-9\]\{2\})\)?-\(?(?:\?<\w+>)?(?:\\d\{2\}|\\d\\d|\[0-9\]\{2\})\)?\$$/;

/**
 * Notes where a date without a time is parsed, which JavaScript takes as midnight UTC, if the failing value depends on it
 * and on what a getter reads in the time zone of the process: west of Greenwich, that is the day before.
 */
export function findUtcDays({ codebase, chain }: Failure, trail: Trail): void {
  const isTied = tiesToTrail(trail);
  const isOnTrail = functionsOnTrail(
    trail,
    chain.flatMap(({ frames }) => frames),
  );
  const callsOf = (...names: readonly string[]): OwnNode[] =>
    ownCalls(codebase, names).filter(({ program: { dialect } }) => dialect.waiting === "promises");
  const getter = callsOf(...local).find(
    ({ program, node }) =>
      argumentsOf(node).length === 0 && !isOfNow(program, receiverOf(node)) && isTied(program, node),
  );
  // What adds the offset of the time zone reads the day that was meant.
  const isOffset = callsOf("getTimezoneOffset").some(({ program, node }) => isOnTrail(program, node));
  if (!getter || isOffset) return;
  for (const { program, node } of callsOf("Date")) {
    if (!isDateOnly(codebase, program, node) || !isTied(program, node)) continue;
    const args = { code: textOf(node, program.source), read: textOf(getter.node, getter.program.source) };
    trail.add({ kind: "utc-day", args }, placeAt(program, node), null);
  }
}

/** Returns whether a date is the current time: `new Date()`, or a variable with it. */
function isOfNow(program: Program, date: CodeNode | null): boolean {
  const node = date && plain(date);
  if (node?.kind === "call") return node.name === "Date" && argumentsOf(node).length === 0;
  const binding = node?.kind === "name" && node.name !== null ? resolve(program, node.name, node) : null;
  const [only, ...others] = binding?.kind === "variable" ? binding.writes : [];
  return others.length === 0 && only?.value?.kind === "call" && isOfNow(program, only.value);
}

/** `new Date(text)`, where the text has only a date. */
function isDateOnly(codebase: Codebase, program: Program, node: CodeNode): boolean {
  const [text, ...others] = is(node, "new") ? argumentsOf(node) : [];
  if (!text || others.length > 0) return false;
  const value = plain(text.value);
  if (value.kind === "string") return /^\d{4}-\d{2}-\d{2}$/.test(value.name ?? "");
  if (value.kind === "call") return isCutToDate(value);
  return node.owner !== null && isMatchedAsDate(codebase, program, node.owner, value);
}

/** `text.slice(0, 10)` and `date.toISOString().substring(0, 10)`. */
function isCutToDate(call: CodeNode): boolean {
  const [start, end] = argumentsOf(call).map(({ value }) => keyText(value));
  return /^(?:slice|substring|substr)$/.test(call.name ?? "") && start === "0" && end === "10";
}

/** Returns whether a function tests a text against the pattern of a date without a time. */
function isMatchedAsDate(codebase: Codebase, program: Program, owner: CodeNode, text: CodeNode): boolean {
  for (const node of [...walkOwn(owner)].slice(0, functionNodesMax)) {
    if (node.kind !== "call") continue;
    const used = [receiverOf(node), ...partsOf(node, "argument")];
    if (!used.some((one) => one !== null && isSame(one, text))) continue;
    if (patternsOf(codebase, program, node).some(({ source }) => wholeDate.test(source))) return true;
  }
  return false;
}
