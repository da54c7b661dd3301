import type { LocatedFrame } from "../../findings/located-frame.ts";
import { saidBy } from "../../words/thrown.ts";
import type { Codebase } from "../code/codebase.ts";
import { lastName, receiverOf, textOf } from "../code/expressions.ts";
import { around, type CodeNode, functionNodesMax, isWithin, part, walk, walkOwn } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { callAtFrame } from "../frames/stack-calls.ts";

const framesMax = 20;
const nodesOfLineMax = 500;
/** What an error says where a row, a key, or a file exists already. */
export const duplicate = /\bunique\b|duplicate|already exists|DuplicateKey|IntegrityError/i;
/** What a loop goes through that only counts its rounds. */
const counting: ReadonlySet<string> = new Set(["range", "rangeClosed", "times", "upto", "count"]);

/** A call that runs, or that code makes. */
export interface Running {
  readonly program: Program;
  readonly call: CodeNode;
}

/**
 * Notes where a write is repeated, if the error says that what it writes exists already: a retry on the stack calls the
 * function that writes again, and something after the write may fail.
 */
export function findRepeatedWrites({ codebase, chain }: Failure, trail: Trail): void {
  for (const { exception, frames } of chain) {
    if (!duplicate.test(saidBy(exception))) continue;
    const running = frames.slice(0, framesMax).map((frame) => callAt(codebase, frame));
    for (const [index, one] of running.entries()) {
      const loop = one && retryAround(one);
      const inner = running.slice(0, index).filter((other) => other !== null);
      const write = inner.findLast(mayFailAfter);
      if (!loop || !one || !write || [one, ...inner].some(isRolledBack)) continue;
      const outer = isGiven(one) ? running.slice(index + 1).find((other) => other !== null) : one;
      if (!outer) continue;
      const args = {
        code: textOf(outer.call, outer.program.source),
        write: textOf(write.call, write.program.source),
        isOnStack: true,
      };
      trail.add({ kind: "repeated-write", args }, placeAt(outer.program, outer.call), null);
      return;
    }
  }
}

/** What takes back what failed. */
const transaction = /^(?:atomic|begin|savepoint|\w{0,30}transact(?:ion(?:al)?|ed?)|with_?tx|in_?tx|run_?in_?tx)$/i;

/** Returns whether a call is in a transaction: `with transaction.atomic()`, `db.transaction(() => save())`. */
function isRolledBack({ call }: Running): boolean {
  for (let at: CodeNode | null = call; at !== null; at = at.parent) {
    const context = at.children.some(
      (one) => one.role === "context" && [...walk(one, nodesOfLineMax)].some(isTransaction),
    );
    if (context || (at.kind === "call" && isTransaction(at))) return true;
    const beside = at.kind === "function" && at.parent?.kind === "sequence" ? at.parent.children : [];
    if (beside.some((one) => one !== at && [...walk(one, nodesOfLineMax)].some(isTransaction))) return true;
  }
  return false;
}

function isTransaction({ name }: CodeNode): boolean {
  return transaction.test(name ?? "");
}

/** Returns the call that a frame made, in the program's own code. */
function callAt(codebase: Codebase, frame: LocatedFrame): Running | null {
  const found = callAtFrame(codebase, frame, null);
  return found?.program.isInstalled ? null : found;
}

/** Returns the loop that makes a call again after an error. */
export function retryAround({ program, call }: Running): CodeNode | null {
  const attempt = around(call, "try", "function");
  if (attempt?.kind !== "try" || !isWithin(call, part(attempt, "body") ?? call)) return null;
  if ([...walk(attempt, functionNodesMax)].some((node) => isRetry(program, node))) return attempt;
  const loop = around(attempt, "loop", "function");
  const over = loop?.kind === "loop" ? part(loop, "over") : null;
  if (loop?.kind !== "loop" || !attempt.children.some(({ kind }) => kind === "catch")) return null;
  const isCounted = over !== null && (counting.has(lastName(over) ?? "") || over.kind === "binary");
  const isBounded = over !== null && [...walk(over, functionNodesMax)].some(({ kind }) => kind === "number");
  return over === null || isCounted || isBounded ? loop : null;
}

/** Returns whether a node is the statement of Ruby that begins again. */
function isRetry({ source }: Program, { kind, start, end }: CodeNode): boolean {
  return kind === "other" && source.text.slice(start, end) === "retry";
}

/** Returns whether what is called was passed to the function: a general retry. */
export function isGiven({ program, call }: Running): boolean {
  const callee = part(call, "callee");
  const on = callee && (receiverOf(call) ?? callee);
  const binding = on?.kind === "name" ? resolve(program, on.name ?? "", on) : null;
  return call.kind === "yield" || binding?.kind === "parameter";
}

/** Returns whether the function around a call makes another one after it, other than to log. */
function mayFailAfter({ call }: Running): boolean {
  const { owner } = call;
  if (owner === null || isIdempotent(call)) return false;
  return [...walkOwn(owner)].some((node) => node.kind === "call" && node.start >= call.end && !isLogging(node));
}

/** What writes a row once, however often it is called. */
const idempotent = /upsert|or_?(?:create|update|ignore|replace)|if_?not_?exists|on (?:conflict|duplicate)|idempot/i;
const logger = /^(?:log|logs|logger|logging|console|metrics|statsd)$/i;
const printing = /^(?:print|println|puts|printf|Println|Printf)$/;

function isIdempotent(call: CodeNode): boolean {
  return [...walk(call, nodesOfLineMax)].some(({ name }) => name !== null && idempotent.test(name));
}

function isLogging(call: CodeNode): boolean {
  const on = receiverOf(call);
  return printing.test(call.name ?? "") || (on !== null && logger.test(lastName(on) ?? ""));
}
