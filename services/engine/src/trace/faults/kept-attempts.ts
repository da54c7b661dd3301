import { calleesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, plain, receiverOf, rootOf, textOf } from "../code/expressions.ts";
import { type FoundFunction, ownName, returnsOf } from "../code/functions.ts";
import { around, type CodeNode, isWithin, part, walkOwn } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { duplicate, isGiven, type Running, retryAround } from "./repeated-writes.ts";

const catchesMax = 60;
const callsMax = 40;
/** If more functions have the name of what is passed, none is more likely than the others. */
const namesakesMax = 4;
/** If more places add in each attempt, none is more likely than the others. */
const foundMax = 2;
/** Functions that are passed on before one does something. */
const depthMax = 3;

/**
 * Notes where each attempt of a retry adds to something that outlives it, before something else that may fail, if the
 * error says that an element is there twice.
 */
export function findKeptAttempts({ codebase, said }: Failure, trail: Trail): void {
  if (!duplicate.test(said) || trail.signals().some(({ kind }) => kind === "repeated-write")) return;
  const found = retryingCalls(codebase).flatMap((retry) =>
    argumentsOf(retry.call).flatMap(({ value }) =>
      actionsOf(codebase, retry.program, value, depthMax).flatMap((action) => {
        const write = keptBy(action);
        return write ? [{ retry, write, program: action.program }] : [];
      }),
    ),
  );
  const places = new Map(found.map((one) => [one.write, one]));
  if (places.size > foundMax) return;
  for (const { retry, write, program } of places.values()) {
    const args = {
      code: textOf(retry.call, retry.program.source),
      write: textOf(write, program.source),
      isOnStack: false,
    };
    trail.add({ kind: "repeated-write", args }, placeAt(program, write), null);
  }
}

/** Returns the calls of functions that repeat what they are passed until it succeeds. */
function retryingCalls(codebase: Codebase): Running[] {
  const names = new Set(
    codebase.own().flatMap((program) =>
      program.catches.slice(0, catchesMax).flatMap((handler) => {
        const body = handler.parent && part(handler.parent, "body");
        const calls = body ? [...walkOwn(body)].filter(({ kind }) => kind === "call") : [];
        return calls.flatMap((call) => {
          const isRetried = isGiven({ program, call }) && retryAround({ program, call }) !== null;
          return (isRetried && call.owner && ownName(call.owner)) || [];
        });
      }),
    ),
  );
  return codebase
    .own()
    .flatMap((program) =>
      [...names].flatMap((name) =>
        (program.calls.get(name) ?? []).slice(0, callsMax).map((call) => ({ program, call })),
      ),
    );
}

/** Returns the functions that a retry may be passed: by their code, by their name, or by what returns them. */
function actionsOf(codebase: Codebase, program: Program, value: CodeNode, depth: number): FoundFunction[] {
  const node = plain(value);
  if (depth === 0) return [];
  if (node.kind === "function") {
    const body = part(node, "body");
    const inner = body?.kind === "call" ? calleesOf(codebase, program, body) : [];
    return inner.length > 0 ? inner : [{ program, node }];
  }
  if (node.kind === "call")
    return calleesOf(codebase, program, node).flatMap((callee) =>
      returnsOf(callee.program, callee.node).flatMap((one) =>
        one?.kind === "function" ? actionsOf(codebase, callee.program, one, depth - 1) : [],
      ),
    );
  const named = node.kind === "other" ? node.children.at(-1) : node;
  const all = named?.kind === "name" || named?.kind === "member" ? codebase.functionsNamed(named.name ?? "") : [];
  const own = all.filter((one) => one.program.dialect === program.dialect && !one.program.isInstalled);
  return own.length <= namesakesMax ? own : [];
}

/** Returns where a function adds to what it doesn't make, before another call, or in each round of a loop. */
function keptBy({ program, node: action }: FoundFunction): CodeNode | null {
  const { adding, joining, putting } = program.dialect.calls;
  const calls = [...walkOwn(action)].filter(({ kind }) => kind === "call");
  const write = calls.find(({ name }) => [adding, joining, putting].some((one) => one.has(name ?? "")));
  if (!write || !isOutside(program, write, action)) return null;
  const mayFail = calls.some(({ start, kind }) => kind === "call" && start >= write.end);
  const isOfLoop = around(write, "loop", "function")?.kind === "loop";
  const isMade = calls.some((call) => call !== write && isWithin(call, write) && call.role === "argument");
  return mayFail || (isOfLoop && isMade) ? write : null;
}

/** Returns whether a call's receiver isn't made in a function. */
function isOutside(program: Program, call: CodeNode, action: CodeNode): boolean {
  const on = receiverOf(call);
  const root = on && rootOf(on);
  if (!root) return false;
  const binding = root.kind === "name" ? resolve(program, root.name ?? "", root) : null;
  return binding === null || !isWithin(binding.node, action);
}
