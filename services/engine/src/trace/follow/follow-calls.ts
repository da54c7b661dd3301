import { calleesOf, classesOf, ownMethodsOf } from "../code/calls.ts";
import { definitionsOf } from "../code/definitions.ts";
import { argumentsOf, isAwaited, isLiteral, isNothing, plain, receiverOf } from "../code/expressions.ts";
import {
  bareReturnsOf,
  type FoundFunction,
  fallsThrough,
  mayBeNothing,
  ownName,
  returnsOf,
} from "../code/functions.ts";
import { type CodeNode, is, isWithin, partsOf } from "../code/ir.ts";
import { exportSite, findExports, type Imported, requiredBy } from "../code/modules.ts";
import { anyKey, type Program } from "../code/program.ts";
import { argumentOfField } from "../code/record-fields.ts";
import { wrappersOf } from "../code/wrappers.ts";
import { awaitedHere } from "./awaits.ts";
import { canGive } from "./can-give.ts";
import { elementWanted } from "./empty-lists.ts";
import { dataFileRead, followDataFile, followRead } from "./follow-data.ts";
import { followUnseen } from "./follow-unseen.ts";
import { elementOfPath, type FollowedValue, type Following, type Via } from "./following.ts";
import { notePromised } from "./promised-values.ts";
import { followColumn } from "./stored-columns.ts";
import { canBe, isMissing, isSpelled, type Wanted } from "./wanted.ts";

/** Calls whose result is what the given function returns. */
const callbackCalls: ReadonlySet<string> = new Set([
  "map",
  "flatMap",
  "then",
  "catch",
  "run",
  "transaction",
  "collect",
  "flat_map",
  "reduce",
  "reduceRight",
  "inject",
]);
/** Those whose result is a list of what the function returns. */
const mapping: ReadonlySet<string> = new Set(["map", "flatMap", "collect", "flat_map"]);
const resolvedMax = 3;

/** Follows what a module exports. */
export function followExports(tracer: Following, followed: FollowedValue, imported: Imported): void {
  const found = findExports(tracer.codebase, followed.program, imported);
  for (const one of found) {
    if (one.kind === "data") followDataFile(tracer, followed, one.source, imported.path);
    else tracer.value({ ...followed, program: one.program, node: one.node, path: one.path, frame: null, via: null });
  }
  const name = imported.path.at(-1);
  if (found.length > 0 || name === undefined) return;
  const source = tracer.codebase.files.resolve(followed.program.source.name, imported.specifier);
  // Without a list of exports, a module may pass on what it imported itself.
  if (source && followed.program.dialect.exports !== "listed") return;
  const exporter = source && tracer.codebase.of(source);
  if (exporter) tracer.step({ ...followed, program: exporter }, exportSite(exporter, name), "missing-key", name);
  else if (!source && imported.specifier.startsWith(".")) {
    tracer.step(followed, followed.node, "setting", name, { isUnread: true });
  }
}

export function followCall(tracer: Following, followed: FollowedValue, call: CodeNode): void {
  const { path, wanted } = followed;
  const required = requiredBy(call);
  if (required) {
    followExports(tracer, tracer.step(followed, call, "import", required.specifier), {
      ...required,
      path: [...required.path, ...path],
    });
    return;
  }
  if (call.name === "Promise" && is(call, "new")) {
    followResolved(tracer, followed, call);
    return;
  }
  if (is(call, "new") && isMissing(wanted) && path.length === 0) return;
  const field = path[0] === undefined ? null : argumentOfField(tracer.codebase, followed.program, call, path[0]);
  if (field) {
    const inner = tracer.step(followed, field, "argument", path[0] ?? "");
    tracer.value({ ...inner, node: field, path: path.slice(1) });
    return;
  }
  if (enter(tracer, followed, call)) return;
  notePromised(tracer, followed, call, []);
  followColumn(tracer, followed, call);
  const data = dataFileRead(tracer, call);
  if (data) followRead(tracer, followed, call, data);
  else if (!tracer.lookup(followed, call)) followUnseen(tracer, followed, call);
}

/** `Array.from(list, function)` */
function isMadeFrom(call: CodeNode): boolean {
  const on = receiverOf(call);
  return call.name === "from" && on?.kind === "name" && on.name === "Array" && argumentsOf(call).length > 1;
}

/** Follows into the function, callback, or class that a call refers to, if its code was given. */
function enter(tracer: Following, followed: FollowedValue, call: CodeNode): boolean {
  const { program, path, frame } = followed;
  const name = call.name ?? "";
  const isMapping = mapping.has(name) || isMadeFrom(call);
  const isOfList = isMapping && path[0] !== undefined && path[0] !== anyKey && !/^\d+$/.test(path[0]);
  const isCallback = (callbackCalls.has(name) || isMapping) && !isOfList;
  const given = isCallback ? argumentsOf(call)[isMadeFrom(call) ? 1 : 0]?.value : undefined;
  const callbacks = given
    ? definitionsOf(tracer.codebase, program, given).filter(({ node }) => node.kind === "function")
    : [];
  const classes = callbacks.length > 0 ? [] : classesOf(tracer.codebase, program, call);
  if (classes.length > 0) {
    const [key, ...rest] = path;
    if (key === undefined) return false;
    for (const found of classes) {
      const isClass = found.node.kind === "class" || found.node.kind === "function";
      const className = isClass ? ownName(found.node) : null;
      // Of several objects that only hold values, this call made the one.
      const via: Via = { program, call, frame, entered: found.node, outer: followed.via };
      tracer.fieldOf(
        { ...followed, program: found.program, path: rest, frame: null, via },
        found,
        className,
        key,
        null,
      );
    }
    return true;
  }
  // A method that every object has is recognized by its name; a function of the same name is the one in this code.
  const isKnown = program.dialect.calls.handOn.has(name) && receiverOf(call) !== null;
  const targets =
    callbacks.length > 0
      ? callbacks
      : isKnown
        ? ownMethodsOf(tracer.codebase, program, call)
        : calleesOf(tracer.codebase, program, call);
  if (targets.length === 0) return false;
  const stepped = tracer.step(followed, call, isAwaited(call) ? "awaited-call" : "call", name);
  const isMapped = isMapping && followed.wanted.was === "short" && path.length === 0;
  const receiver = isMapped ? (isMadeFrom(call) ? argumentsOf(call)[0]?.value : receiverOf(call)) : null;
  if (receiver) tracer.value({ ...stepped, node: receiver });
  const wanted = isMapped ? elementWanted(followed.wanted) : followed.wanted;
  if (!wanted) return true;
  const isPromise = callbacks.length === 0 && notePromised(tracer, followed, call, targets);
  const awaits = isPromise ? awaitedHere(followed) : callbacks.length > 0 ? "all" : followed.awaits;
  const inner = { ...stepped, wanted, awaits };
  for (const target of targets) {
    if (
      target.program === program &&
      isWithin(call, target.node) &&
      callbacks.length === 0 &&
      followed.via?.entered === target.node
    )
      continue;
    const via: Via = { program, call, frame, entered: target.node, outer: followed.via };
    const handed =
      callbacks.length > 0 ? { via: followed.via, path: isMapping ? elementOfPath(path) : path } : { via, path };
    followReturns(tracer, { ...inner, program: target.program, frame: null, ...handed }, target, name);
    followWrappers(tracer, inner, target);
  }
  return true;
}

/** Follows a missing value to where a decorator's function ends without a value, whatever the decorated one returns. */
function followWrappers(tracer: Following, followed: FollowedValue, target: FoundFunction): void {
  if (!isMissing(followed.wanted) || followed.path.length > 0) return;
  for (const { program, node } of wrappersOf(tracer.codebase, target))
    for (const end of silentEnds(program, node, returnsOf(program, node)))
      tracer.step({ ...followed, program }, end, "returns-nothing", ownName(node) ?? "");
}

/** Follows what `resolve` is called with in `new Promise((resolve) => …)`. */
function followResolved(tracer: Following, followed: FollowedValue, call: CodeNode): void {
  const executor = argumentsOf(call)[0]?.value;
  const first = executor?.kind === "function" ? executor.children.find(({ role }) => role === "parameter")?.name : null;
  const settled = (followed.program.calls.get(first ?? "") ?? []).filter((one) => isWithin(one, call));
  for (const one of settled.slice(0, resolvedMax)) {
    const value = argumentsOf(one)[0]?.value;
    const inner = tracer.step(followed, one, "return", first ?? "");
    if (value) tracer.value({ ...inner, node: value });
  }
}

/** Follows what a function returns. */
export function followReturns(
  tracer: Following,
  followed: FollowedValue,
  { program, node }: FoundFunction,
  name: string,
): void {
  const { wanted, path } = followed;
  const inner: FollowedValue = { ...followed, program };
  const isGenerator = is(node, "generator");
  const left = isGenerator ? elementOfPath(path) : path;
  const returns = returnsOf(program, node);
  const isWhole = isMissing(wanted) && left.length === 0;
  const isMaker = program.dialect.constructors.has(node.name ?? "");
  const silent = isGenerator || isMaker ? [] : silentEnds(program, node, returns);
  const may = isWhole ? nothingGiven(wanted, returns, silent.length > 0) : { undefined: true, null: true };
  if (may.undefined && (isWhole || returns.length === 0))
    for (const one of silent) tracer.step(inner, one, "returns-nothing", name);
  const able = returns.filter((one) => {
    const { value, path: rest } = partOf(one, left);
    return value === null || canGive(tracer.codebase, program, value, rest, wanted);
  });
  // If none may produce it, these functions aren't the ones that were called.
  for (const returned of able.length > 0 ? able : returns) {
    const { value, path: rest } = partOf(returned, left);
    const isAll = isMissing(wanted) && rest.length === 0;
    if (!value || (isAll && !mayBeNothing(value))) continue;
    if (isAll && isNothing(value)) {
      const isOther = plain(value).name === "null" ? !may.null : !may.undefined;
      if (!isOther) tracer.step(inner, value, "returns-nothing", name);
      continue;
    }
    if (isLiteral(value) && (rest.length > 0 || !canBe(value, wanted))) continue;
    const step = tracer.step(inner, value, isLiteral(value) ? "literal" : "return", name);
    if (!isLiteral(value)) tracer.value({ ...step, node: value, path: rest });
  }
}

/** Returns where a function ends without a value: its bare `return` statements, and itself where its end is reached. */
function silentEnds(program: Program, node: CodeNode, returns: readonly (CodeNode | null)[]): CodeNode[] {
  const bare = bareReturnsOf(node);
  const isReached = fallsThrough(program, node) || (returns.includes(null) && bare.length === 0);
  return isReached ? [...bare, node] : bare;
}

/** Returns which of `undefined` and `null` a function may have given, if it has a way to give what the error says. */
function nothingGiven(
  wanted: Wanted,
  returns: readonly (CodeNode | null)[],
  isSilent: boolean,
): { readonly undefined: boolean; readonly null: boolean } {
  const may = { undefined: isSpelled(wanted, "undefined"), null: isSpelled(wanted, "null") };
  const isGiven = returns.some(
    (one) => one !== null && mayBeNothing(one) && (!isNothing(one) || isSpelled(wanted, plain(one).name)),
  );
  return isGiven || (isSilent && may.undefined) ? may : { undefined: true, null: true };
}

/** Returns the part of `return value, error` that the caller uses. */
function partOf(
  returned: CodeNode | null,
  path: readonly string[],
): { value: CodeNode | null; path: readonly string[] } {
  const [key, ...rest] = path;
  const list = returned && plain(returned);
  const one =
    list?.kind === "list" && key !== undefined && /^\d+$/.test(key) ? partsOf(list, "value")[Number(key)] : undefined;
  return one ? { value: one, path: rest } : { value: returned, path };
}
