import {
  argumentsOf,
  isLiteral,
  isNothing,
  isSame,
  keyText,
  lastName,
  plain,
  receiverOf,
  textOf,
} from "../code/expressions.ts";
import { isReceiver } from "../code/handed-objects.ts";
import { type CodeNode, isWithin, part, partsOf } from "../code/ir.ts";
import { anyKey } from "../code/program.ts";
import { elementOfField } from "../code/record-fields.ts";
import { closest } from "../code/similar-names.ts";
import { elementWanted, emptied, emptyListRead } from "./empty-lists.ts";
import { isFilled } from "./filled-tables.ts";
import { elementOfPath, type FollowedValue, type Following } from "./following.ts";
import { keysOfTable } from "./table-keys.ts";
import { keyRead } from "./throw-site.ts";
import { anything, canBe, isMissing } from "./wanted.ts";

const writesMax = 3;
const elementsMax = 6;
/** Maximum number of calls of one name in one file whose receivers are compared. */
const storedLookedAtMax = 200;

/** Follows `object.name` and `object[key]` to what is written there, or else into the object. */
export function followMember(tracer: Following, followed: FollowedValue, node: CodeNode): void {
  const { program, path } = followed;
  const on = part(node, "on");
  const key = part(node, "key");
  const name = node.kind === "member" ? node.name : key && keyText(key);
  const overrun = key && name === null ? loopTooFar(node) : null;
  const inner = overrun
    ? tracer.step(followed, overrun, "overrun", textOf(node, program.source))
    : tracer.step(followed, node, "property", name ?? "");
  const isLengthWrong = followed.wanted.was === "short" && path.length === 0;
  const isOfElement = path[0] === anyKey || /^\d+$/.test(path[0] ?? "");
  if (name !== null && (isOfElement || isLengthWrong)) followAddedTo(tracer, inner, name);
  if (name !== null && on) {
    if (plain(on).kind === "self" || isReceiver(program, on)) {
      if (tracer.field(inner, node, name)) return;
    } else followSameSpelled(tracer, inner, node, on, name);
  }
  if (!on) {
    if (name !== null) tracer.field(inner, node, name);
    return;
  }
  if (emptyListRead(node, path, followed.wanted)) {
    tracer.value({ ...inner, node: on, wanted: emptied(followed.wanted) });
    return;
  }
  tracer.value({ ...inner, node: on, path: [name ?? anyKey, ...path] });
  if (key && name === null && path.length === 0 && !overrun) {
    const except = isMissing(followed.wanted) ? keysOfTable(tracer.codebase, program, on) : [];
    tracer.value({ ...inner, node: key, path: [], wanted: { ...anything, except } });
  }
  if (key && name === null && !overrun) followStored(tracer, inner, on);
  if (name !== null) tracer.unlessOriginFrom(inner.from, () => tracer.loose(inner, node, name));
}

/**
 * Follows writes to the same member of an expression with the same text in this file: `this.a.b = …` for `this.a.b`.
 */
function followSameSpelled(
  tracer: Following,
  followed: FollowedValue,
  node: CodeNode,
  on: CodeNode,
  name: string,
): void {
  const { program } = followed;
  if (plain(on).kind !== "member") return;
  const writes = (program.fieldWrites.get(name) ?? []).filter(
    (write) => write.on && isSame(write.on, on) && !isWithin(node, write.node),
  );
  for (const write of writes.slice(0, writesMax)) tracer.write(followed, program, write);
}

/** Follows an object or list literal to the value of its key, or notes that it lacks the key. */
export function followObject(tracer: Following, followed: FollowedValue, object: CodeNode): void {
  const { path, program, wanted } = followed;
  const getter = getterOf(object);
  if (getter) {
    tracer.returns(followed, { program, node: getter }, getter.name ?? "get");
    return;
  }
  const [key, ...rest] = path;
  const spreads = object.children.filter(({ kind }) => kind === "spread").flatMap((one) => part(one, "value") ?? []);
  if (object.kind === "list") {
    if (key === "length" || key === "size") return;
    const all = partsOf(object, "value");
    if (wanted.was === "short" && key === undefined) {
      followLength(tracer, followed, object);
      return;
    }
    const field = key === undefined || key === anyKey ? null : elementOfField(tracer.codebase, program, object, key);
    if (field) {
      tracer.value({ ...tracer.step(followed, field, "property", key ?? ""), node: field, path: rest });
      return;
    }
    const one = key !== undefined && /^\d+$/.test(key) ? all[Number(key)] : undefined;
    const elements = (one ? [one] : all.slice(0, elementsMax)).filter(
      (element) => !isLiteral(element) || canBe(element, wanted),
    );
    if (key === undefined && isMissing(wanted)) return;
    const whole = one ? [anyKey, ...rest] : path;
    // What is spread is a list itself: the path is that of its elements.
    for (const element of elements.slice(0, elementsMax))
      tracer.value({ ...followed, node: element, path: element.kind === "spread" ? whole : elementOfPath(whole) });
    return;
  }
  const values = object.children.flatMap((one) => (one.kind === "entry" ? (part(one, "value") ?? []) : []));
  if (key === undefined || key === anyKey) {
    if (key === undefined && isMissing(wanted)) return;
    tracer.parts(
      { ...followed, path: rest },
      [...spreads, ...values].filter((one) => !isLiteral(one) || canBe(one, wanted)),
    );
    return;
  }
  const entry = object.children.find((one) => one.name === key);
  const value = entry && part(entry, "value");
  if (value) {
    if (value.kind === "function" || (isLiteral(value) && !canBe(value, wanted))) return;
    const isOrigin = rest.length === 0 && isNothing(value);
    const inner = tracer.step(followed, entry, isOrigin ? "literal" : "property", key);
    if (!isOrigin) tracer.value({ ...inner, node: value, path: rest });
    return;
  }
  for (const node of spreads) tracer.value({ ...followed, node });
  // `{ length: 3 }` stands for a list, and every object has what its prototype has.
  const isListLike = /^\d+$/.test(key) && object.children.some(({ name }) => name === "length");
  if (spreads.length === 0 && !isListLike && !(key in Object.prototype)) noteMissing(tracer, followed, object, key);
}

const defining = /^(?:definePropert(?:y|ies)|create)$/;

/** Returns the function that gives a property's value, of an object that describes the property. */
function getterOf(object: CodeNode): CodeNode | null {
  const entry = object.kind === "object" ? object.children.find(({ name }) => name === "get") : undefined;
  const getter = entry && part(entry, "value");
  if (getter?.kind !== "function") return null;
  const all = object.parent?.kind === "entry" ? object.parent.parent : object;
  return all?.parent?.kind === "call" && defining.test(all.parent.name ?? "") ? getter : null;
}

/** Follows what a list literal gets its length from; one with elements of its own isn't empty, so they matter. */
function followLength(tracer: Following, followed: FollowedValue, list: CodeNode): void {
  const loops = list.children.filter(({ kind }) => kind === "loop");
  const own = partsOf(list, "value");
  const spread = own.filter(({ kind }) => kind === "spread");
  tracer.parts(followed, [...spread, ...loops.flatMap((loop) => part(loop, "over") ?? [])]);
  const wanted = elementWanted(followed.wanted);
  if (!wanted) return;
  const able = own.filter((one) => one.kind !== "spread" && (!isLiteral(one) || canBe(one, wanted)));
  tracer.parts({ ...followed, wanted }, able.slice(0, elementsMax));
}

/** Notes a missing key, which is misspelled when one with almost the same spelling exists. */
function noteMissing(tracer: Following, followed: FollowedValue, object: CodeNode, key: string): void {
  // What was of a type was there.
  if (followed.wanted.type !== null) return;
  const names = object.children.flatMap(({ name }) => name ?? []);
  if (object.children.some((one) => one.kind === "entry" && one.name === null)) return;
  const alike = closest(names, key);
  const twin = alike === null ? undefined : object.children.find(({ name }) => name === alike);
  if (twin) tracer.step(followed, twin, "setting", key);
  else {
    const isAdded = isFilled(tracer.codebase, followed.program, object);
    tracer.step(followed, object, "missing-key", key, isAdded ? { isFilled: isAdded } : {});
  }
}

/** Follows a lookup that found nothing: its receiver, and what is written under its key. */
export function followLookup(tracer: Following, followed: FollowedValue, call: CodeNode): boolean {
  const { program, path, wanted } = followed;
  const read = keyRead(program, call);
  if (!read) return false;
  const key = keyText(read.key);
  const inner = tracer.step(followed, call, "lookup", call.name ?? "");
  if (emptyListRead(call, path, wanted)) {
    tracer.value({ ...inner, node: read.on, wanted: emptied(followed.wanted) });
    return true;
  }
  if (read.fallback && canBe(read.fallback, wanted)) {
    const isUnused = !isMissing(wanted) && isEmptyFor(read.fallback, path);
    const text = textOf(read.fallback, program.source);
    tracer.step(inner, isUnused ? call : read.fallback, "fallback", text, isUnused ? { isUnused } : {});
    return true;
  }
  // `rows.at(-1)` may be any element.
  const isFromEnd = key !== null && /^-\d+$/.test(key);
  tracer.value({ ...inner, node: read.on, path: [isFromEnd ? anyKey : (key ?? anyKey), ...path] });
  if (isFromEnd) return true;
  if (key === null) {
    const except = isMissing(wanted) && path.length === 0 ? keysOfTable(tracer.codebase, program, read.on) : [];
    tracer.value({ ...inner, node: read.key, path: [], wanted: { ...anything, except } });
    followStored(tracer, inner, read.on);
  } else tracer.unlessOriginFrom(inner.from, () => tracer.loose(inner, call, key));
  return true;
}

/** Returns whether a literal has nothing, so a value that is present under the path came from elsewhere. */
function isEmptyFor(literal: CodeNode, path: readonly string[]): boolean {
  const { kind, children } = plain(literal);
  return path.length > 0 && (kind === "list" || kind === "object") && children.length === 0;
}

/** Follows what is put into the collection, and under which keys: a key that is built differently isn't found. */
function followStored(tracer: Following, followed: FollowedValue, collection: CodeNode): void {
  const { program, path, wanted } = followed;
  const name = lastName(collection);
  if (name === null) return;
  const isIt = (on: CodeNode | null): boolean => on !== null && lastName(on) === name;
  const calls = [...program.dialect.calls.putting].flatMap((one) =>
    (program.calls.get(one) ?? []).slice(0, storedLookedAtMax),
  );
  const puts = calls.filter((call) => isIt(receiverOf(call)) || isIt(innerReceiver(call)));
  for (const call of puts.slice(0, writesMax)) {
    const [key, value] = argumentsOf(call).slice(-2);
    if (!key || !value) continue;
    const inner = tracer.step({ ...followed, frame: null, via: null }, call, "argument", name);
    if (isMissing(wanted) && path.length === 0) tracer.value({ ...inner, node: key.value, path: [], wanted: anything });
    else tracer.value({ ...inner, node: value.value });
  }
  for (const { node, on, value, target } of (program.entries.get(`${name}[]`) ?? []).slice(0, writesMax)) {
    const key = target && part(target, "key");
    if (!isIt(on) || isWithin(followed.node, node)) continue;
    const inner = tracer.step({ ...followed, frame: null, via: null }, node, "assignment", name);
    if (isMissing(wanted) && path.length === 0 && key)
      tracer.value({ ...inner, node: key, path: [], wanted: anything });
    else if (value) tracer.value({ ...inner, node: value });
  }
}

/** Returns `a` for `a.b(…).put(…)`. */
function innerReceiver(call: CodeNode): CodeNode | null {
  const on = receiverOf(call);
  return on && plain(on).kind === "call" ? receiverOf(on) : null;
}

/** Follows what is added to a list that is a member: `this.stack.push(value)`. */
function followAddedTo(tracer: Following, followed: FollowedValue, name: string): void {
  const { program, path } = followed;
  const calls = [...program.dialect.calls.adding].flatMap((one) =>
    (program.calls.get(one) ?? []).slice(0, storedLookedAtMax),
  );
  const added = calls.filter(
    (call) => lastName(receiverOf(call) ?? call) === name && receiverOf(call)?.kind === "member",
  );
  for (const call of added.slice(0, writesMax)) {
    const value = argumentsOf(call).at(-1)?.value;
    if (!value) continue;
    const at = tracer.step({ ...followed, frame: null, via: null }, value, "argument", name);
    // Whatever it is, it makes the list longer.
    if (path.length > 0) tracer.value({ ...at, node: value, path: path.slice(1) });
  }
}

/** Finds `for (…; i <= list.length; …)`, a loop that runs once more than there are elements. */
function loopTooFar(node: CodeNode): CodeNode | null {
  for (let at = node.parent; at !== null && at.kind !== "function"; at = at.parent) {
    const condition = at.kind === "loop" ? part(at, "condition") : null;
    if (condition?.kind !== "binary" || condition.name !== "<=") continue;
    const [counter, bound] = [part(condition, "left"), part(condition, "right")];
    const begin = at.children.find(({ kind, role }) => role === null && (kind === "sequence" || kind === "declare"));
    const start = begin && part(begin.kind === "declare" ? begin : (begin.children[0] ?? begin), "value");
    const isCounter =
      counter?.kind === "name" &&
      bound !== null &&
      !isLiteral(bound) &&
      lastName(bound) !== null &&
      start?.name !== "1";
    return isCounter ? condition : null;
  }
  return null;
}
