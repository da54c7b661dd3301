import { argumentsOf, lastName, plain, receiverOf } from "./expressions.ts";
import { classAround, classNameOf, type FoundFunction, ownName, returnsOf } from "./functions.ts";
import { type CodeNode, is, isWithin, part } from "./ir.ts";
import { findExports, importedBy, requiredBy, siblingsOf } from "./modules.ts";
import { anyKey, type Program, parametersOf } from "./program.ts";
import type { Programs } from "./programs.ts";
import { resolve } from "./scopes.ts";

/** How deep names that stand for other names are followed. */
const depthMax = 6;
const calleesMax = 3;
/** Functions that make functions, one from the other. */
const makersMax = 3;
/** Of a table of functions, when it isn't known which one is called. */
const elementsMax = 6;
/** A name that more functions bear means none of them for sure. */
const sameNameMax = 2;
/** Calls and functions of one name that are compared. */
const namesakesMax = 60;
/** Names of methods that every other object has: alone they tell nothing. */
const commonMethods: ReadonlySet<string> = new Set(
  "get set add has delete push pop map filter find forEach then catch finally on once emit call apply bind toString valueOf join split slice keys values entries next write end read close open test exec replace trim log error warn info debug json send append update items format strip lower upper sort copy remove insert index count put size length each new String Error Get Set Add Len Close Read Write Error equals hashCode".split(
    " ",
  ),
);

/** The functions, classes and objects that an expression stands for, as far as names and imports tell. */
export function definitionsOf(
  programs: Programs,
  program: Program,
  expression: CodeNode,
  path: readonly string[] = [],
  depth = 0,
): FoundFunction[] {
  if (depth > depthMax) return [];
  const node = plain(expression);
  const inner = (one: CodeNode | null, left: readonly string[], where = program): FoundFunction[] =>
    one ? definitionsOf(programs, where, one, left, depth + 1) : [];
  const [key, ...rest] = path;
  switch (node.kind) {
    case "function":
      return key === undefined ? [{ program, node }] : membersNamed(programs, program, ownName(node), key);
    case "class":
      return key === undefined ? [{ program, node }] : methodsOf(programs, program, node, key);
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
      return definitionsOfName(programs, program, node, path, depth);
    case "member":
      return node.name === null ? [] : inner(part(node, "on"), [node.name, ...path]);
    case "index":
      return inner(part(node, "on"), [anyKey, ...path]).slice(0, elementsMax);
    case "list":
      return key === undefined ? [] : node.children.flatMap((one) => inner(one, rest));
    case "self":
      return key === undefined ? [] : membersOfSelf(programs, program, node, key);
    case "call":
      return definitionsOfCall(programs, program, node, path, depth);
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
  programs: Programs,
  program: Program,
  node: CodeNode,
  path: readonly string[],
  depth: number,
): FoundFunction[] {
  const name = node.name ?? "";
  const binding = resolve(program, name, node);
  const imported = binding && importedBy(binding);
  if (imported) {
    const found = findExports(programs, program, { ...imported, path: [...imported.path, ...path] });
    const given = found.flatMap((one) =>
      one.kind === "value" ? definitionsOf(programs, one.program, one.node, one.path, depth + 1) : [],
    );
    if (given.length > 0) return given;
    const wanted = path.at(-1) ?? imported.path.at(-1) ?? name;
    if (program.dialect.name === "javascript")
      return found.length > 0 ? [] : definedInPackage(programs, imported.specifier, wanted);
  }
  if (binding?.kind === "function" || binding?.kind === "class")
    return definitionsOf(programs, program, binding.node, path, depth + 1);
  if (binding?.kind === "variable")
    return binding.writes
      .slice(0, calleesMax)
      .flatMap((write) =>
        write.value && !isWithin(node, write.value)
          ? definitionsOf(programs, program, write.value, [...write.path, ...path], depth + 1)
          : [],
      );
  if (binding?.kind === "parameter" && path.length === 0) {
    const given = givenAtOnce(binding.node);
    return given ? definitionsOf(programs, program, given, path, depth + 1) : [];
  }
  if (binding && !imported) return [];
  return definitionsElsewhere(programs, program, name, path);
}

/** What a parameter is given by the call that a function is written into: `(function (factory) { … })(function () { … })`. */
function givenAtOnce(parameter: CodeNode): CodeNode | null {
  const owner = parameter.parent;
  const call = owner?.role === "callee" ? owner.parent : null;
  if (owner?.kind !== "function" || call?.kind !== "call") return null;
  return argumentsOf(call)[parametersOf(owner).indexOf(parameter)]?.value ?? null;
}

/** A function of a package of which the entry was not given, but the file that has it was. */
function definedInPackage(programs: Programs, specifier: string, name: string): FoundFunction[] {
  const folder = /^(@[^/]+\/[^/]+|[^./][^/]*)/.exec(specifier)?.[1];
  if (folder === undefined) return [];
  const found = programs
    .functionsNamed(name)
    .filter((one) => `/${one.program.source.name}`.includes(`/node_modules/${folder}/`));
  return found.length <= sameNameMax ? [...found] : [];
}

/** A name that the file does not declare: of a file of the same package, or a class by its name. */
function definitionsElsewhere(
  programs: Programs,
  program: Program,
  name: string,
  path: readonly string[],
): FoundFunction[] {
  if (program.dialect.name === "javascript") return [];
  const classes = programs
    .all()
    .flatMap((one) =>
      one.classes
        .filter((node) => node.name === name && one.dialect === program.dialect)
        .map((node) => ({ program: one, node })),
    );
  const [key] = path;
  if (classes.length > 0)
    return key === undefined ? classes : classes.flatMap((one) => methodsOf(programs, one.program, one.node, key));
  if (key !== undefined) return [];
  const siblings = siblingsOf(programs, program);
  return programs
    .functionsNamed(name)
    .filter(
      (one) => one.program.dialect === program.dialect && (siblings.length === 0 || siblings.includes(one.program)),
    )
    .filter(({ node }) => program.dialect.hasImplicitSelf || classNameOf(node) === null)
    .slice(0, calleesMax);
}

function definitionsOfCall(
  programs: Programs,
  program: Program,
  call: CodeNode,
  path: readonly string[],
  depth: number,
): FoundFunction[] {
  const [key] = path;
  const inner = (one: CodeNode | null | undefined, left: readonly string[]): FoundFunction[] =>
    one ? definitionsOf(programs, program, one, left, depth + 1) : [];
  const required = requiredBy(call);
  if (required)
    return findExports(programs, program, { ...required, path: [...required.path, ...path] }).flatMap((one) =>
      one.kind === "value" ? definitionsOf(programs, one.program, one.node, one.path, depth + 1) : [],
    );
  if (call.name === "bind") return inner(receiverOf(call), path);
  if (
    /^(?:assign|freeze|create|extend|promisify|memoize|once|wrap|debounce|throttle|forwardRef|memo)$/.test(
      call.name ?? "",
    )
  )
    return argumentsOf(call).flatMap(({ value }) => inner(value, path));
  const callee = part(call, "callee");
  const made = instanceClass(programs, program, call, depth);
  if (made.length > 0)
    return key === undefined ? [] : made.flatMap((one) => methodsOf(programs, one.program, one.node, key));
  if (!callee || depth > makersMax) return [];
  // A function that makes a function.
  return definitionsOf(programs, program, callee, [], depth + 1)
    .filter(({ node }) => node.kind === "function")
    .slice(0, 1)
    .flatMap((maker) =>
      returnsOf(maker.program, maker.node).flatMap((value) =>
        value ? definitionsOf(programs, maker.program, value, path, depth + 1) : [],
      ),
    );
}

/** The class that a call makes an object of; empty when it is no such call. */
function instanceClass(programs: Programs, program: Program, call: CodeNode, depth: number): FoundFunction[] {
  const callee = part(call, "callee");
  if (!callee) return [];
  const isRuby = program.dialect.name === "ruby" && call.name === "new";
  if (!isRuby && !is(call, "new") && !(program.dialect.name === "python" && /^_?[A-Z]/.test(call.name ?? "")))
    return [];
  const of = isRuby ? receiverOf(call) : callee;
  return of ? definitionsOf(programs, program, of, [], depth + 1) : [];
}

/** Methods of a class, or of what it extends. */
export function methodsOf(
  programs: Programs,
  program: Program,
  owner: CodeNode,
  name: string,
  depth = 0,
): FoundFunction[] {
  if (owner.kind !== "class") {
    const entry = owner.kind === "object" ? owner.children.find((one) => one.name === name) : null;
    const value = entry && part(entry, "value");
    if (value?.kind === "function") return [{ program, node: value }];
    return membersNamed(programs, program, ownName(owner), name);
  }
  const own = program.functions.filter((node) => ownName(node) === name && classAround(node) === owner);
  if (own.length > 0) return own.slice(0, 1).map((node) => ({ program, node }));
  const ofType =
    owner.name === null
      ? []
      : programs.functionsNamed(name).filter(({ node }) => part(node, "receiver")?.type === owner.name);
  if (ofType.length > 0) return ofType.slice(0, 1);
  if (depth > depthMax) return [];
  const inherited = owner.children
    .filter(({ role }) => role === "base")
    .flatMap((base) => definitionsOf(programs, program, base, [], 2))
    .flatMap((base) => methodsOf(programs, base.program, base.node, name, depth + 1));
  return inherited.length > 0 || owner.name === null ? inherited : membersNamed(programs, program, owner.name, name);
}

/** Functions that are written to a class or to its prototype: `X.prototype.name = function`. */
function membersNamed(programs: Programs, program: Program, owner: string | null, name: string): FoundFunction[] {
  if (owner === null) return [];
  const found = programs.functionsNamed(name).filter(({ node }) => classNameOf(node) === owner);
  const here = found.filter((one) => one.program === program);
  return (here.length > 0 ? here : found).slice(0, calleesMax);
}

/** A method of the object that a function is a method of. */
function membersOfSelf(programs: Programs, program: Program, self: CodeNode, name: string): FoundFunction[] {
  const owner = classAround(self);
  if (owner && self.name !== "super") return methodsOf(programs, program, owner, name);
  if (owner)
    return owner.children
      .filter(({ role }) => role === "base")
      .flatMap((base) => definitionsOf(programs, program, base, [], 2))
      .flatMap((base) => methodsOf(programs, base.program, base.node, name));
  for (let at = self.owner; at !== null; at = at.owner) {
    const of = classNameOf(at);
    const found = membersNamed(programs, program, of, name);
    if (found.length > 0) return found;
  }
  return [];
}

/** The classes that an object is an instance of, as far as they are known. */
export function classesOf(programs: Programs, program: Program, expression: CodeNode, depth = 0): FoundFunction[] {
  const node = plain(expression);
  if (depth > 3) return [];
  if (node.kind === "call") return instanceClass(programs, program, node, depth);
  if (node.kind === "self") {
    const owner = classAround(node);
    return owner ? [{ program, node: owner }] : [];
  }
  const name = node.name ?? "";
  const binding = node.kind === "name" ? resolve(program, name, node) : null;
  const typed = (type: string | null): FoundFunction[] => (type === null ? [] : classesNamed(programs, program, type));
  if (binding) {
    if (isReceiver(binding.node)) return typed(binding.node.type);
    const declared = typed(binding.node.type);
    if (declared.length > 0) return declared;
    return binding.writes.flatMap(({ value, path }) =>
      value && path.length === 0 && plain(value).kind !== "name" ? classesOf(programs, program, value, depth + 1) : [],
    );
  }
  if (node.kind !== "member" && node.kind !== "name") return [];
  const writes = programs
    .all()
    .flatMap((one) => (one.fieldWrites.get(name) ?? []).slice(0, namesakesMax).map((write) => ({ one, write })));
  for (const { one, write } of writes) {
    const type =
      write.node.type ?? (write.value && resolve(one, write.value.name ?? "", write.value)?.node.type) ?? null;
    const found = [...typed(type), ...(write.value ? classesOf(programs, one, write.value, depth + 1) : [])];
    if (found.length > 0) return found;
  }
  return [];
}

function isReceiver({ role }: CodeNode): boolean {
  return role === "receiver";
}

function classesNamed(programs: Programs, { dialect }: Program, name: string): FoundFunction[] {
  return programs
    .all()
    .filter((one) => one.dialect === dialect)
    .flatMap((program) => program.classes.filter((node) => node.name === name).map((node) => ({ program, node })));
}

/** The functions that a call can mean. */
export function calleesOf(programs: Programs, program: Program, call: CodeNode): FoundFunction[] {
  const callee = part(call, "callee");
  if (!callee) return [];
  const made = instanceClass(programs, program, call, 0);
  if (made.length > 0) return constructorsOf(programs, made);
  const known = definitionsOf(programs, program, callee);
  const functions = [
    ...known.filter(({ node }) => node.kind === "function"),
    ...constructorsOf(
      programs,
      known.filter(({ node }) => node.kind === "class"),
    ),
  ];
  if (functions.length > 0) return unique(functions).slice(0, calleesMax);
  const receiver = receiverOf(callee);
  const name = lastName(callee);
  if (!receiver || name === null) return [];
  const methods = classesOf(programs, program, receiver).flatMap((one) =>
    methodsOf(programs, one.program, one.node, name),
  );
  return methods.length > 0
    ? unique(methods).slice(0, calleesMax)
    : methodNamed(programs, program, call, receiver, name);
}

function constructorsOf(programs: Programs, classes: readonly FoundFunction[]): FoundFunction[] {
  return classes.flatMap(({ program, node }) =>
    node.kind === "function"
      ? [{ program, node }]
      : [...program.dialect.constructors].flatMap((name) => methodsOf(programs, program, node, name)),
  );
}

/** A method by its name alone: of this file, else the only one among the files. */
function methodNamed(
  programs: Programs,
  program: Program,
  call: CodeNode,
  receiver: CodeNode,
  name: string,
): FoundFunction[] {
  const all = programs
    .functionsNamed(name)
    .filter((one) => one.program.dialect === program.dialect && takes(one.node, call));
  const alike = lastName(receiver);
  const close = alike === null ? [] : all.filter(({ node }) => isAlike(alike, classNameOf(node)));
  if (close.length > 0 && close.length <= sameNameMax) return close;
  if (commonMethods.has(name)) return [];
  const here = all.filter((one) => one.program === program);
  if (here.length > 0 && here.length <= sameNameMax) return here;
  return all.length <= sameNameMax ? all : [];
}

/** A wrong number of arguments is itself a failure: one more or less is allowed. */
function takes(node: CodeNode, call: CodeNode): boolean {
  const parameters = parametersOf(node);
  const given = argumentsOf(call).length;
  return given <= parameters.length + 1 || parameters.some((one) => is(one, "rest"));
}

/** `customers` and `CustomerRepository`, `store` and `SessionStore`. */
function isAlike(name: string, className: string | null): boolean {
  const stem = name
    .toLowerCase()
    .replace(/[@_]/g, "")
    .replace(/(?:ies|s)$/, "");
  return stem.length > 2 && className?.toLowerCase().includes(stem) === true;
}

function unique(found: readonly FoundFunction[]): FoundFunction[] {
  return found.filter(({ node }, index) => found.findIndex((one) => one.node === node) === index);
}
