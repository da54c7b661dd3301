import type { Codebase } from "./codebase.ts";
import { argumentsOf, plain, receiverOf } from "./expressions.ts";
import { classAround, classNameOf, type FoundFunction, ownName, returnsOf } from "./functions.ts";
import { addedToField, givenFor, type Handed, isReceiver, reducing, writtenToField } from "./handed-objects.ts";
import { type CodeNode, is, isWithin, part, partsOf } from "./ir.ts";
import { firstIn, type Lineage, lineageBy } from "./lineage.ts";
import { findExports, importedBy, requiredBy, siblingsOf } from "./modules.ts";
import { anyKey, type Program } from "./program.ts";
import { resolve } from "./scopes.ts";

/** Maximum levels of aliases that are followed. */
const depthMax = 10;
const calleesMax = 3;
/** Maximum levels of functions returning functions that are followed. */
const makersMax = 8;
/** Maximum functions of a table, when it isn't known which one is called. */
const elementsMax = 6;
/** If there are more functions of one name than this, none is more likely than the others. */
const sameNameMax = 2;
/**
 * What was found, by expression and by path and depth. In code whose functions build on each other's results, such as
 * calculations, the ways to an expression are more than can be followed.
 */
const known = new WeakMap<Codebase, Map<CodeNode, Map<string, readonly FoundFunction[]>>>();

/** Returns the functions, classes, and objects that an expression refers to, as far as names and imports show. */
export function definitionsOf(
  codebase: Codebase,
  program: Program,
  expression: CodeNode,
  path: readonly string[] = [],
  depth = 0,
): readonly FoundFunction[] {
  if (depth > depthMax) return [];
  const node = plain(expression);
  const ofCodebase = known.get(codebase) ?? new Map<CodeNode, Map<string, readonly FoundFunction[]>>();
  known.set(codebase, ofCodebase);
  const ofNode = ofCodebase.get(node) ?? new Map<string, readonly FoundFunction[]>();
  ofCodebase.set(node, ofNode);
  const key = [depth, ...path].join("\0");
  const before = ofNode.get(key);
  if (before) return before;
  // A class may name itself as its base: `class Runner(self.Runner)`.
  ofNode.set(key, []);
  const found = distinct(definitionsOfNode(codebase, program, node, path, depth));
  ofNode.set(key, found);
  return found;
}

function distinct(found: readonly FoundFunction[]): FoundFunction[] {
  return [...new Map(found.map((one) => [one.node, one])).values()];
}

function definitionsOfNode(
  codebase: Codebase,
  program: Program,
  node: CodeNode,
  path: readonly string[],
  depth: number,
): readonly FoundFunction[] {
  const inner = (one: CodeNode | null, left: readonly string[], where = program): readonly FoundFunction[] =>
    one ? definitionsOf(codebase, where, one, left, depth + 1) : [];
  const [key, ...rest] = path;
  switch (node.kind) {
    case "function":
      return key === undefined ? [{ program, node }] : membersNamed(codebase, program, ownName(node), key);
    case "class":
      return key === undefined ? [{ program, node }] : membersOfClass(codebase, program, node, path, depth);
    case "object":
      if (key === undefined) return [{ program, node }];
      return node.children.flatMap((one) =>
        one.kind === "spread"
          ? inner(part(one, "value"), path)
          : one.name === key || key === anyKey
            ? inner(part(one, "value"), rest)
            : [],
      );
    case "name":
      return definitionsOfName(codebase, program, node, path, depth);
    case "member":
      return node.name === null ? [] : inner(part(node, "on"), [node.name, ...path]);
    case "index":
      return inner(part(node, "on"), [anyKey, ...path]).slice(0, elementsMax);
    case "list":
      return key === undefined ? [] : node.children.flatMap((one) => inner(one, rest));
    case "self":
      return key === undefined ? [] : membersOfSelf(codebase, program, node, path, depth);
    case "call":
      return definitionsOfCall(codebase, program, node, path, depth);
    case "choice":
      return [...inner(part(node, "then"), path), ...inner(part(node, "otherwise"), path)];
    case "binary":
      return ["||", "??", "or"].includes(node.name ?? "")
        ? [...inner(part(node, "left"), path), ...inner(part(node, "right"), path)]
        : [];
    case "assign":
      return inner(part(node, "value"), path);
    default:
      return [];
  }
}

function definitionsOfName(
  codebase: Codebase,
  program: Program,
  node: CodeNode,
  path: readonly string[],
  depth: number,
): readonly FoundFunction[] {
  const name = node.name ?? "";
  const binding = resolve(program, name, node);
  const imported = binding && importedBy(binding);
  if (imported) {
    const found = findExports(codebase, program, { ...imported, path: [...imported.path, ...path] });
    const given = found.flatMap((one) =>
      one.kind === "value" ? definitionsOf(codebase, one.program, one.node, one.path, depth + 1) : [],
    );
    if (given.length > 0) return given;
    const wanted = path.at(-1) ?? imported.path.at(-1) ?? name;
    if (program.dialect.exports === "listed")
      return found.length > 0 ? [] : definedInPackage(codebase, imported.specifier, wanted);
  }
  if (binding?.kind === "function" || binding?.kind === "class")
    return definitionsOf(codebase, program, binding.node, path, depth + 1);
  if (binding?.kind === "variable")
    return binding.writes
      .filter(({ value }) => value !== null)
      .slice(0, calleesMax)
      .flatMap((write) =>
        write.value && !isWithin(node, write.value)
          ? definitionsOf(codebase, program, write.value, [...write.path, ...path], depth + 1)
          : [],
      );
  if (binding?.kind === "parameter") {
    const owner = isReceiver(program, node) ? classAround(node) : null;
    if (owner) return path.length > 0 ? membersOfClass(codebase, program, owner, path, depth) : [];
    return definitionsOfAll(codebase, givenFor(codebase, program, binding.node), [...binding.path, ...path], depth);
  }
  if (binding && !imported) return [];
  return definitionsElsewhere(codebase, program, name, path);
}

function definitionsOfAll(
  codebase: Codebase,
  handed: readonly Handed[],
  path: readonly string[],
  depth: number,
): readonly FoundFunction[] {
  return handed.flatMap((one) =>
    definitionsOf(codebase, one.program, one.node, [...one.path, ...path], depth + 1).slice(0, elementsMax),
  );
}

/** Resolves `object.a.b` for an object of a class: a method, or what the field `a` was assigned. */
function membersOfClass(
  codebase: Codebase,
  program: Program,
  owner: CodeNode,
  path: readonly string[],
  depth: number,
): readonly FoundFunction[] {
  return membersInLineage(codebase, lineageOf(codebase, program, owner), path, depth);
}

function membersInLineage(
  codebase: Codebase,
  lineage: Lineage,
  path: readonly string[],
  depth: number,
): readonly FoundFunction[] {
  const [key = "", ...rest] = path;
  const methods = rest.length === 0 ? methodsInLineage(codebase, lineage, key) : [];
  return methods.length > 0 ? methods : firstIn(lineage, (one) => membersOfField(codebase, one, path, depth));
}

function membersOfField(
  codebase: Codebase,
  { program, node }: FoundFunction,
  [key = "", ...rest]: readonly string[],
  depth: number,
): readonly FoundFunction[] {
  if (node.kind !== "class") return [];
  const [element, ...inner] = rest;
  const added = element === anyKey ? addedToField(program, node, key) : [];
  return [
    ...definitionsOfAll(codebase, writtenToField(program, node, key), rest, depth),
    ...definitionsOfAll(codebase, added, inner, depth),
  ];
}

/** Returns a class and those that it extends, in the order in which a member is looked up. */
export function lineageOf(codebase: Codebase, program: Program, owner: CodeNode): Lineage {
  return lineageBy({ program, node: owner }, (one) => basesOf(codebase, one));
}

/** Returns what each base of a class may be. */
function basesOf(codebase: Codebase, { program, node }: FoundFunction): Lineage {
  return partsOf(node, "base").map((base) => definitionsOf(codebase, program, base, [], 2));
}

/** Finds a package's function whose defining file was given, although the entry file wasn't. */
function definedInPackage(codebase: Codebase, specifier: string, name: string): readonly FoundFunction[] {
  const folder = /^(@[^/]+\/[^/]+|[^./][^/]*)/.exec(specifier)?.[1];
  if (folder === undefined) return [];
  const found = codebase
    .functionsNamed(name)
    .filter((one) => `/${one.program.source.name}`.includes(`/node_modules/${folder}/`));
  return found.length <= sameNameMax ? [...found] : [];
}

/** Finds a name that the file doesn't declare: in a file of the same package, or as a class. */
function definitionsElsewhere(
  codebase: Codebase,
  program: Program,
  name: string,
  path: readonly string[],
): readonly FoundFunction[] {
  if (program.dialect.undeclared === "global") return [];
  const classes = codebase
    .all()
    .flatMap((one) =>
      one.classes
        .filter((node) => node.name === name && one.dialect === program.dialect)
        .map((node) => ({ program: one, node })),
    );
  const [key] = path;
  if (classes.length > 0)
    return key === undefined ? classes : classes.flatMap((one) => methodsOf(codebase, one.program, one.node, key));
  if (key !== undefined) return [];
  const siblings = siblingsOf(codebase, program);
  return codebase
    .functionsNamed(name)
    .filter(
      (one) => one.program.dialect === program.dialect && (siblings.length === 0 || siblings.includes(one.program)),
    )
    .filter(({ node }) => program.dialect.hasImplicitSelf || classNameOf(node) === null)
    .slice(0, calleesMax);
}

function definitionsOfCall(
  codebase: Codebase,
  program: Program,
  call: CodeNode,
  path: readonly string[],
  depth: number,
): readonly FoundFunction[] {
  const [key] = path;
  const inner = (one: CodeNode | null | undefined, left: readonly string[]): readonly FoundFunction[] =>
    one ? definitionsOf(codebase, program, one, left, depth + 1) : [];
  const required = requiredBy(call);
  if (required)
    return findExports(codebase, program, { ...required, path: [...required.path, ...path] }).flatMap((one) =>
      one.kind === "value" ? definitionsOf(codebase, one.program, one.node, one.path, depth + 1) : [],
    );
  if (reducing.test(call.name ?? "")) {
    const [made, initial] = argumentsOf(call);
    const returned = made?.value.kind === "function" ? returnsOf(program, made.value) : [];
    return [...returned, initial?.value].flatMap((value) => inner(value, path));
  }
  if (taking.test(call.name ?? "")) {
    const taken = inner(receiverOf(call), [anyKey, ...path]);
    if (taken.length > 0) return taken;
  }
  if (call.name === "bind") return inner(receiverOf(call), path);
  // Arguments say behind which class the search starts.
  if (call.name === "super" && program.dialect.hasSelfParameter)
    return argumentsOf(call).length > 0 ? [] : membersOfBase(codebase, program, call, path, depth);
  const callee = part(call, "callee");
  const isWrapping = wrapping.test(call.name ?? "");
  const isOwn = isWrapping && inner(callee, []).some(({ node }) => node.kind === "function");
  if ((isWrapping || passingOn.test(call.name ?? "")) && !isOwn)
    return argumentsOf(call).flatMap(({ value }) => inner(value, path));
  const made = instanceClass(codebase, program, call, depth);
  if (made.length > 0)
    return key === undefined ? [] : made.flatMap((one) => membersOfClass(codebase, one.program, one.node, path, depth));
  if (!callee || depth > makersMax) return [];
  // A function that returns a function.
  return definitionsOf(codebase, program, callee, [], depth + 1)
    .filter(({ node }) => node.kind === "function")
    .slice(0, 1)
    .flatMap((maker) =>
      returnsOf(maker.program, maker.node).flatMap((value) =>
        value ? definitionsOf(codebase, maker.program, value, path, depth + 1) : [],
      ),
    );
}

/** Functions of packages that give an argument, or an object made of it. */
const passingOn = /^(?:assign|freeze|create|extend|promisify|forwardRef|memo)$/;
/** Functions of packages that give a function which calls an argument. What one of that name in this code gives is read. */
const wrapping = /^(?:memoize|once|wrap|debounce|throttle)$/;

/** Methods that take an element out of a collection. */
const taking = /^(?:get|at|find|shift|pop)$/;

/** Returns the class that a call instantiates; empty for any other call. */
export function instanceClass(
  codebase: Codebase,
  program: Program,
  call: CodeNode,
  depth: number,
): readonly FoundFunction[] {
  const callee = part(call, "callee");
  if (!callee) return [];
  const { construction } = program.dialect;
  const isMethod = construction === "new-method" && call.name === "new";
  const isCall = construction === "call" && /^_?[A-Z]/.test(call.name ?? "");
  if (!isMethod && !isCall && !is(call, "new")) return [];
  const of = isMethod ? receiverOf(call) : callee;
  return of ? definitionsOf(codebase, program, of, [], depth + 1) : [];
}

/** Returns the methods of a class, or else of the nearest class that it extends. */
export function methodsOf(
  codebase: Codebase,
  program: Program,
  owner: CodeNode,
  name: string,
): readonly FoundFunction[] {
  return methodsInLineage(codebase, lineageOf(codebase, program, owner), name);
}

function methodsInLineage(codebase: Codebase, lineage: Lineage, name: string): readonly FoundFunction[] {
  const declared = firstIn(lineage, (one) => methodsDeclaredIn(codebase, one, name));
  if (declared.length > 0) return declared;
  return firstIn(lineage, ({ program, node }) =>
    node.kind === "class" ? membersNamed(codebase, program, node.name, name) : [],
  );
}

function methodsDeclaredIn(
  codebase: Codebase,
  { program, node: owner }: FoundFunction,
  name: string,
): readonly FoundFunction[] {
  if (owner.kind !== "class") {
    const entry = owner.kind === "object" ? owner.children.find((one) => one.name === name) : null;
    const value = entry && part(entry, "value");
    if (value?.kind === "function") return [{ program, node: value }];
    return membersNamed(codebase, program, ownName(owner), name);
  }
  const own = program.functions.filter((node) => ownName(node) === name && classAround(node) === owner);
  if (own.length > 0) return own.slice(0, 1).map((node) => ({ program, node }));
  if (owner.name === null) return [];
  return codebase
    .functionsNamed(name)
    .filter(({ node }) => part(node, "receiver")?.type === owner.name)
    .slice(0, 1);
}

/** Finds functions assigned to a class or its prototype: `X.prototype.name = function`. */
function membersNamed(
  codebase: Codebase,
  program: Program,
  owner: string | null,
  name: string,
): readonly FoundFunction[] {
  if (owner === null) return [];
  const found = codebase.functionsNamed(name).filter(({ node }) => classNameOf(node) === owner);
  const here = found.filter((one) => one.program === program);
  return (here.length > 0 ? here : found).slice(0, calleesMax);
}

/** Finds a member of the classes that the class around a node extends: `super.name`, `super().name`. */
function membersOfBase(
  codebase: Codebase,
  program: Program,
  at: CodeNode,
  path: readonly string[],
  depth: number,
): readonly FoundFunction[] {
  const owner = classAround(at);
  if (!owner || path.length === 0) return [];
  const [, ...bases] = lineageOf(codebase, program, owner);
  return membersInLineage(codebase, bases, path, depth);
}

/** Finds another method of the object that a method belongs to. */
function membersOfSelf(
  codebase: Codebase,
  program: Program,
  self: CodeNode,
  path: readonly string[],
  depth: number,
): readonly FoundFunction[] {
  const owner = classAround(self);
  const [name = ""] = path;
  if (owner && self.name !== "super") return membersOfClass(codebase, program, owner, path, depth);
  if (owner) return membersOfBase(codebase, program, self, path, depth);
  for (let at = self.owner; at !== null; at = at.owner) {
    const of = classNameOf(at);
    const found = membersNamed(codebase, program, of, name);
    if (found.length > 0) return found;
  }
  return [];
}
