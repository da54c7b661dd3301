import { calleesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, plain, receiverOf } from "../code/expressions.ts";
import { type FoundFunction, returnsOf } from "../code/functions.ts";
import { type CodeNode, is, part } from "../code/ir.ts";
import { importedBy } from "../code/modules.ts";
import { anyKey, type Program } from "../code/program.ts";
import { givesPromise } from "../code/promises.ts";
import { resolve } from "../code/scopes.ts";
import { isAwaitedHere } from "./awaits.ts";
import type { FollowedValue } from "./following.ts";
import { placeAt, type Trail } from "./trail.ts";

/** Levels of functions that return the promise of another. */
const depthMax = 3;
const ofPromises: ReadonlySet<string> = new Set(["then", "catch", "finally"]);
/** Methods of a response that return a promise, whatever defines them. */
const ofResponses: ReadonlySet<string> = new Set(["json", "arrayBuffer", "formData"]);

/** Returns whether a value is awaited where it is used. */
export function isSettled(used: CodeNode): boolean {
  if (used.parent?.kind === "await") return true;
  const value = plain(used);
  for (
    let at: CodeNode | null = value.parent;
    at !== null && at.start >= used.start && at.end <= used.end;
    at = at.parent
  )
    if (at.kind === "await") return true;
  return used.kind === "await";
}

/**
 * Notes a call whose promise goes on to the failing code as if it were its value. Returns whether the call gives a
 * promise: what the function returns inside is awaited.
 */
export function notePromised(
  { codebase, trail }: { readonly codebase: Codebase; readonly trail: Trail },
  followed: FollowedValue,
  call: CodeNode,
  targets: readonly FoundFunction[],
): boolean {
  const { program, path, from } = followed;
  const isPromise =
    targets.length > 0
      ? targets.every((one) => promises(codebase, one))
      : program.dialect.waiting === "promises" && (isOfResponse(call) || isOfPromises(program, call));
  if (!isPromise || isAwaitedHere(followed)) return isPromise;
  const [key] = path;
  const read = key === undefined || key === anyKey ? null : key;
  if (read !== null && ofPromises.has(read)) return true;
  const { waiting, promiseInMessage } = program.dialect;
  const isSaid = trail.messages.some((message) => promiseInMessage?.test(message));
  if (isSaid || (waiting === "promises" && read !== null))
    trail.add({ kind: "unawaited-value", args: { callee: call.name ?? "", read } }, placeAt(program, call), from);
  return true;
}

function isOfResponse(call: CodeNode): boolean {
  return ofResponses.has(call.name ?? "") && argumentsOf(call).length === 0 && receiverOf(call) !== null;
}

/** Returns whether a function is imported from a module whose functions all return promises. */
function isOfPromises(program: Program, call: CodeNode): boolean {
  const callee = part(call, "callee");
  const root = callee && (receiverOf(callee) ?? callee);
  const binding = root?.kind === "name" ? resolve(program, root.name ?? "", root) : null;
  const imported = binding && importedBy(binding);
  return (imported && program.dialect.promisedModules?.test(imported.specifier)) === true;
}

/** Returns whether a function always returns a promise: its own, or that of another. */
function promises(codebase: Codebase, { program, node }: FoundFunction, depth = depthMax): boolean {
  if (is(node, "generator")) return false;
  if (givesPromise(program, node)) return true;
  const returned = depth === 0 ? [] : returnsOf(program, node);
  return (
    returned.length > 0 &&
    returned.every((value) => value?.kind === "call" && isPromised(codebase, program, value, depth - 1))
  );
}

function isPromised(codebase: Codebase, program: Program, call: CodeNode, depth: number): boolean {
  const targets = calleesOf(codebase, program, call);
  return targets.length > 0 && targets.every((one) => promises(codebase, one, depth));
}
