import type { StepArgs } from "../../signals/code/value-sources.ts";
import { calleesOf } from "../code/calls.ts";
import { argumentsOf, isLiteral, plain, receiverOf, textOf } from "../code/expressions.ts";
import { classNameOf, ownName } from "../code/functions.ts";
import { type CodeNode, functionNodesMax, is, isWithin, part, walk } from "../code/ir.ts";
import { importedBy, siblingsOf } from "../code/modules.ts";
import { anyKey, type Program, parametersOf, type Write } from "../code/program.ts";
import { isNameOfField } from "../code/record-fields.ts";
import { type Binding, resolve, resolveInModule, writesReaching } from "../code/scopes.ts";
import { type CallSite, callersOf } from "./callers.ts";
import { elementWanted, emptied, isEmptyTaken } from "./empty-lists.ts";
import { elementOfPath, type FollowedValue, type Following } from "./following.ts";
import { handedOver } from "./higher-order.ts";
import { canBe, isMissing } from "./wanted.ts";

const callersMax = 4;
const writesMax = 3;
/** Maximum number of calls of one name that are checked for adding to the collection. */
const addingMax = 200;

export function followName(tracer: Following, followed: FollowedValue, node: CodeNode): void {
  const { program } = followed;
  const name = node.name ?? "";
  const binding = resolve(program, name, node);
  if (binding) followBinding(tracer, followed, binding, node);
  else if (followed.path.length > 0 || !followReceiver(tracer, followed, node))
    followOutside(tracer, followed, node, name);
}

function followBinding(tracer: Following, followed: FollowedValue, binding: Binding, use: CodeNode): void {
  const { kind, name } = binding;
  if (kind === "parameter") {
    const reassigned = binding.writes.length > 0 ? writesReaching(binding, use) : [];
    for (const write of reassigned.slice(0, writesMax)) followWrite(tracer, followed, followed.program, write);
    followMutations(tracer, followed, binding);
    followParameter(tracer, followed, binding.node, binding);
    return;
  }
  const imported = importedBy(binding);
  if (imported) {
    const inner = tracer.step(followed, binding.node, "import", name);
    tracer.exports(inner, { ...imported, path: [...imported.path, ...followed.path] });
    return;
  }
  if (kind !== "variable") {
    if (kind === "function" || kind === "class") followMutations(tracer, followed, binding);
    return;
  }
  noteShared(tracer, followed, binding, use);
  const isSet = followMutations(tracer, followed, binding);
  if (!isSet) followPassed(tracer, followed, binding);
  followAdded(tracer, followed, binding);
  for (const write of writesReaching(binding, use)) {
    // An object that is created without the key is irrelevant if the key is set later.
    const isMadeEmpty = isSet && write.value !== null && plain(write.value).kind === "object";
    if (!isMadeEmpty) followWrite(tracer, followed, followed.program, write);
  }
}

/** Follows `target = value`, a declaration, or a loop over elements. */
export function followWrite(tracer: Following, followed: FollowedValue, program: Program, write: Write): void {
  const { node, value, path, name, fallback } = write;
  const outer = { ...followed, program };
  if (!value) {
    if (isMissing(followed.wanted) && followed.path.length === 0) tracer.step(outer, node, "assignment", name);
    return;
  }
  const isLoop = node.kind === "loop";
  const isOrigin = followed.path.length + path.length === 0 && isLiteral(value) && canBe(value, followed.wanted);
  const how = isLoop ? "iteration" : isOrigin ? "literal" : path.length > 0 ? "property" : "assignment";
  const known = keysOf(node, path);
  const inner = tracer.step(outer, isLoop ? (part(node, "target") ?? node) : node, how, path.at(-1) ?? name, known);
  if (fallback && followed.path.length === 0 && canBe(fallback, followed.wanted) && isLiteral(fallback))
    tracer.step(inner, fallback, "fallback", name);
  const taken = [...path, ...followed.path];
  if (isEmptyTaken(taken, followed.wanted))
    tracer.value({ ...inner, node: value, path: [], wanted: emptied(followed.wanted) });
  else if (!isOrigin) tracer.value({ ...inner, node: value, path: taken });
}

/** Returns the fields that an object pattern takes, by the path that leads to a name in it. */
function keysOf(node: CodeNode, path: readonly string[]): Pick<StepArgs, "keys"> {
  return part(node, "target")?.kind === "object" && path.length > 0 ? { keys: path } : {};
}

/** Notes a module variable that other functions write. */
function noteShared(tracer: Following, followed: FollowedValue, binding: Binding, use: CodeNode): void {
  if (binding.node.owner !== null || use.owner === null) return;
  const writers = new Set(
    binding.writes.map(({ node }) => node.owner).filter((owner) => owner !== null && owner !== use.owner),
  );
  if (writers.size === 0) return;
  const args = { name: binding.name, writers: writers.size };
  tracer.trail.add({ kind: "shared-state", args }, placeOf(followed.program, binding.node), followed.from);
}

function placeOf({ source }: Program, node: CodeNode) {
  return { kind: "place" as const, file: source.name, line: source.lineAt(node.start), function: null, source };
}

/** Follows `object.key = value` for the requested key. */
function followMutations(tracer: Following, followed: FollowedValue, binding: Binding): boolean {
  const { program, path } = followed;
  const [key, ...rest] = path;
  if (key === undefined || key === anyKey) return false;
  const writes = [...(program.fieldWrites.get(key) ?? []), ...(program.entries.get(key) ?? [])].filter(
    ({ on }) => on?.kind === "name" && on.name === binding.name && resolve(program, binding.name, on) === binding,
  );
  for (const write of writes.slice(0, writesMax)) followWrite(tracer, { ...followed, path: rest }, program, write);
  return writes.length > 0;
}

/** Follows into functions that are passed the object and write to it, under the key or under one that they compute. */
function followPassed(tracer: Following, followed: FollowedValue, binding: Binding): void {
  const { program, path } = followed;
  const [key] = path;
  if (key === undefined || key === anyKey || !isMissing(followed.wanted)) return;
  let found = 0;
  for (const node of walk(binding.scope, functionNodesMax)) {
    if (node.kind !== "call" || found >= writesMax) continue;
    const position = argumentsOf(node).findIndex(({ value }) => value.kind === "name" && value.name === binding.name);
    if (position < 0) continue;
    for (const { program: where, node: callee } of calleesOf(tracer.codebase, program, node)) {
      const write = writesToParameter(where, callee, position, key)[0];
      if (!write || ++found > writesMax) continue;
      const call = tracer.step(followed, node, "call", node.name ?? "");
      tracer.step({ ...call, program: where }, write.node, "assignment", key);
    }
  }
}

function writesToParameter(program: Program, owner: CodeNode, position: number, key: string): Write[] {
  const parameter = parametersOf(owner)[position];
  if (!parameter?.name) return [];
  const computed = program.entries.get(`${parameter.name}[]`) ?? [];
  const named = [...(program.fieldWrites.get(key) ?? []), ...(program.entries.get(key) ?? [])];
  return [...named, ...computed].filter(
    ({ node, on }) => on?.kind === "name" && on.name === parameter.name && isWithin(node, owner),
  );
}

/** Follows what is added to a collection that a name refers to. */
function followAdded(tracer: Following, followed: FollowedValue, binding: Binding): void {
  const { program, path } = followed;
  const isElement = path[0] === anyKey || /^\d+$/.test(path[0] ?? "");
  const isWhole = (path.length === 0 && !isMissing(followed.wanted)) || path[0] === "length" || path[0] === "size";
  if (!isElement && !isWhole) return;
  const isIt = (on: CodeNode | null): boolean =>
    on?.kind === "name" && on.name === binding.name && resolve(program, binding.name, on) === binding;
  const { putting, adding } = program.dialect.calls;
  const calls = [...putting, ...adding].flatMap((name) => (program.calls.get(name) ?? []).slice(0, addingMax));
  const added = calls.filter((call) => {
    const callee = part(call, "callee");
    return callee !== null && isIt(part(callee, "on"));
  });
  const isShort = followed.wanted.was === "short" && path.length === 0;
  const appended = program.appended.slice(0, addingMax).filter((one) => isIt(part(one, "left")));
  const values = [
    ...added.map((call) => argumentsOf(call).at(-1)?.value ?? null),
    ...appended.map((one) => part(one, "right")),
  ];
  for (const value of values.slice(0, writesMax)) {
    // Whatever it is, it makes the collection longer.
    if (value && isShort) tracer.step(followed, value, "argument", binding.name);
    else if (value)
      tracer.value({
        ...tracer.step(followed, value, "argument", binding.name),
        node: value,
        path: isElement ? path.slice(1) : [],
      });
  }
  if (isShort) return;
  const written = (program.entries.get(`${binding.name}[]`) ?? []).filter(({ on }) => isIt(on));
  for (const write of written.slice(0, writesMax))
    followWrite(tracer, { ...followed, path: isElement ? path.slice(1) : [] }, program, write);
}

/**
 * Follows a name that the file doesn't declare: a field, a write in another file of the package, or another excerpt of
 * the file.
 */
function followOutside(tracer: Following, followed: FollowedValue, node: CodeNode, name: string): void {
  const { program } = followed;
  if (program.dialect.hasImplicitSelf && tracer.field(followed, node, name)) return;
  const windows = tracer.codebase.all().filter((one) => one !== program && one.source.name === program.source.name);
  const others =
    program.dialect.undeclared === "of-any-file"
      ? tracer.codebase.all().filter(({ dialect }) => dialect === program.dialect)
      : siblingsOf(tracer.codebase, program);
  for (const other of [...windows, ...others]) {
    const binding = other === program ? null : resolveInModule(other, name);
    if (binding?.kind !== "variable") continue;
    for (const write of binding.writes.slice(-writesMax))
      followWrite(tracer, { ...followed, frame: null, via: null }, other, write);
    return;
  }
  if (program.dialect.hasImplicitSelf && isNameOfField(tracer.codebase, program, name))
    tracer.loose(followed, node, name);
}

/** Follows a parameter to what callers pass, or to what the call on the stack passes if it is seen there. */
export function followParameter(
  tracer: Following,
  followed: FollowedValue,
  parameter: CodeNode,
  { name, path: taken, fallback }: Pick<Binding, "name" | "path" | "fallback">,
): void {
  const owner = parameter.parent;
  if (owner?.kind !== "function") return;
  const { program } = followed;
  const whole = [...taken, ...followed.path];
  const position = parametersOf(owner).indexOf(parameter);
  if (position < 0) {
    const [field, ...rest] = whole;
    if (parameter.role === "receiver" && field !== undefined)
      tracer.field({ ...followed, path: rest }, parameter, field);
    return;
  }
  const isRest = is(parameter, "rest");
  const path = isRest ? elementOfPath(whole) : whole;
  // Where nothing was passed, the list is empty; what was passed is an element.
  const wanted = (isRest ? elementWanted(followed.wanted) : null) ?? followed.wanted;
  const inner = tracer.step({ ...followed, path, wanted }, parameter, "parameter", name, {
    ...keysOf(parameter, taken),
    ...(owner.role === "argument" && ownName(owner) === null && { isCallback: true as const }),
  });
  const via = followed.via?.entered === owner ? followed.via : null;
  const handed = via ? [] : handedOver(tracer, program, owner, position);
  // What `then` hands over was awaited; other callbacks may get it so.
  const awaits = owner.role === "argument" ? "all" : followed.awaits;
  for (const { program: where, node, isElement, path: parts = [] } of handed.slice(0, callersMax)) {
    const outer = isElement
      ? tracer.step({ ...inner, program: where }, node, "iteration", name)
      : tracer.step({ ...inner, program: where }, node, "argument", name);
    tracer.value({
      ...outer,
      node,
      awaits,
      path: isElement ? [anyKey, ...parts, ...path] : path,
      via: where === program ? followed.via : null,
    });
  }
  if (handed.length > 0) return;
  const calls = via ? [via] : callersOf(tracer.codebase, tracer.frames, { program, node: owner }, followed.frame);
  const shift = program.dialect.hasSelfParameter && isMethod(owner) ? 1 : 0;
  for (const site of calls.slice(0, callersMax)) followArgument(tracer, inner, site, position - shift, name, fallback);
  // What is taken out of an argument has its default where the argument lacks it.
  const mayLack = calls.length === 0 || (taken.length > 0 && followed.path.length === 0);
  if (mayLack && fallback && canBe(fallback, followed.wanted)) tracer.step(inner, fallback, "fallback", name);
}

/** Follows the receiver of a Go method to what the method is called on; returns whether the name is one. */
function followReceiver(tracer: Following, followed: FollowedValue, { name, owner }: CodeNode): boolean {
  const receiver = owner && part(owner, "receiver");
  if (!owner || !receiver || receiver.name !== name) return false;
  const { codebase, frames } = tracer;
  const sites = callersOf(codebase, frames, { program: followed.program, node: owner }, followed.frame);
  for (const { program, call, frame } of sites.slice(0, callersMax)) {
    const on = receiverOf(call);
    if (on) tracer.value({ ...followed, program, frame, via: null, node: on });
  }
  return true;
}

function isMethod(owner: CodeNode): boolean {
  const [first] = parametersOf(owner);
  return (
    first?.name === "self" ||
    first?.name === "cls" ||
    (classNameOf(owner) !== null && !is(owner, "static") && ownName(owner) !== null && first?.name === "this")
  );
}

function followArgument(
  tracer: Following,
  followed: FollowedValue,
  site: CallSite,
  position: number,
  name: string,
  fallback: CodeNode | null,
): void {
  const given = argumentsOf(site.call);
  const isSpread = given.slice(0, position + 1).find(({ value }) => value.kind === "spread");
  const node =
    given.find((one) => one.name === name)?.value ??
    (given[position]?.name === null ? given[position]?.value : undefined) ??
    isSpread?.value;
  const where: FollowedValue = {
    ...followed,
    program: site.program,
    frame: site.frame,
    via: followed.via === site ? followed.via.outer : null,
  };
  if (!node) {
    if (fallback) {
      if (canBe(fallback, followed.wanted)) tracer.step(followed, fallback, "fallback", name);
      else tracer.value({ ...followed, node: fallback });
    } else if (
      isMissing(followed.wanted) &&
      followed.path.length === 0 &&
      !/^(?:apply|call|bind)$/.test(site.call.name ?? "")
    )
      tracer.step(where, site.call, "argument", name);
    return;
  }
  if (isWithin(node, followed.node) && site.program === followed.program) return;
  const inner = tracer.step(where, node, "argument", textOf(node, site.program.source));
  tracer.value({ ...inner, node });
}
