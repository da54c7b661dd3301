import { isCommonMethod } from "../../source/common-methods.ts";
import type { Codebase } from "./codebase.ts";
import { definitionsOf, instanceClass, lineageOf, methodsOf } from "./definitions.ts";
import { argumentsOf, lastName, plain, receiverOf } from "./expressions.ts";
import { classAround, classNameOf, type FoundFunction } from "./functions.ts";
import { type CodeNode, is, part } from "./ir.ts";
import { filesOf, importedBy } from "./modules.ts";
import { type Program, parametersOf } from "./program.ts";
import { resolve } from "./scopes.ts";

const calleesMax = 3;
/** If there are more functions of one name than this, none is more likely than the others. */
const sameNameMax = 2;
/** Maximum number of calls and functions of one name that are compared. */
const namesakesMax = 60;

/** Returns the classes that an object may be an instance of, as far as known. */
export function classesOf(
  codebase: Codebase,
  program: Program,
  expression: CodeNode,
  depth = 0,
): readonly FoundFunction[] {
  const node = plain(expression);
  if (depth > 3) return [];
  if (node.kind === "call") return instanceClass(codebase, program, node, depth);
  if (node.kind === "self") {
    const owner = classAround(node);
    return owner ? [{ program, node: owner }] : [];
  }
  const name = node.name ?? "";
  const binding = node.kind === "name" ? resolve(program, name, node) : null;
  const typed = (type: string | null): FoundFunction[] => (type === null ? [] : classesNamed(codebase, program, type));
  if (binding) {
    if (binding.node.role === "receiver") return typed(binding.node.type);
    const declared = typed(binding.node.type);
    if (declared.length > 0) return declared;
    return binding.writes.flatMap(({ value, path }) =>
      value && path.length === 0 && plain(value).kind !== "name" ? classesOf(codebase, program, value, depth + 1) : [],
    );
  }
  if (node.kind !== "member" && node.kind !== "name") return [];
  const writes = codebase
    .all()
    .flatMap((one) => (one.fieldWrites.get(name) ?? []).slice(0, namesakesMax).map((write) => ({ one, write })));
  for (const { one, write } of writes) {
    const type =
      write.node.type ?? (write.value && resolve(one, write.value.name ?? "", write.value)?.node.type) ?? null;
    const found = [...typed(type), ...(write.value ? classesOf(codebase, one, write.value, depth + 1) : [])];
    if (found.length > 0) return found;
  }
  return [];
}

function classesNamed(codebase: Codebase, { dialect }: Program, name: string): FoundFunction[] {
  return codebase
    .all()
    .filter((one) => one.dialect === dialect)
    .flatMap((program) => program.classes.filter((node) => node.name === name).map((node) => ({ program, node })));
}

/** Returns the functions that a call may refer to. */
export function calleesOf(codebase: Codebase, program: Program, call: CodeNode): FoundFunction[] {
  return withoutHooks(codebase, namesakesOf(codebase, program, call));
}

/** Leaves out methods without a body that another one of the functions overrides: they exist to be overridden. */
export function withoutHooks(codebase: Codebase, found: readonly FoundFunction[]): FoundFunction[] {
  return found.filter(({ program, node }) => {
    const isHook = program.dialect.returnsLast && !part(node, "body");
    const owner = isHook ? classAround(node) : null;
    return !owner || !found.some((one) => isOfSubclass(codebase, one, owner));
  });
}

function isOfSubclass(codebase: Codebase, { program, node }: FoundFunction, owner: CodeNode): boolean {
  const own = classAround(node);
  return (
    own !== null &&
    own !== owner &&
    lineageOf(codebase, program, own)
      .flat()
      .some((one) => one.node === owner)
  );
}

function namesakesOf(codebase: Codebase, program: Program, call: CodeNode): FoundFunction[] {
  const callee = part(call, "callee");
  if (!callee) return [];
  const made = instanceClass(codebase, program, call, 0);
  if (made.length > 0) return constructorsOf(codebase, made);
  const known = definitionsOf(codebase, program, callee);
  const functions = [
    ...known.filter(({ node }) => node.kind === "function"),
    ...constructorsOf(
      codebase,
      known.filter(({ node }) => node.kind === "class"),
    ),
  ];
  if (functions.length > 0) return unique(functions).slice(0, calleesMax);
  const receiver = receiverOf(callee);
  const name = lastName(callee);
  if (!receiver || name === null) return [];
  const methods = ownMethodsOf(codebase, program, call);
  return methods.length > 0 ? methods : methodNamed(codebase, program, call, receiver, name);
}

/** Returns the methods that a call refers to, by the class of what it is called on. */
export function ownMethodsOf(codebase: Codebase, program: Program, call: CodeNode): FoundFunction[] {
  const receiver = receiverOf(call);
  const name = lastName(call);
  if (!receiver || name === null) return [];
  const classes = classesOf(codebase, program, receiver);
  return unique(classes.flatMap((one) => methodsOf(codebase, one.program, one.node, name))).slice(0, calleesMax);
}

function constructorsOf(codebase: Codebase, classes: readonly FoundFunction[]): FoundFunction[] {
  return classes.flatMap(({ program, node }) =>
    node.kind === "function"
      ? [{ program, node }]
      : [...program.dialect.constructors].flatMap((name) => methodsOf(codebase, program, node, name)),
  );
}

/** Finds a method by its name alone: in this file, or else the only one among the files. */
function methodNamed(
  codebase: Codebase,
  program: Program,
  call: CodeNode,
  receiver: CodeNode,
  name: string,
): FoundFunction[] {
  const all = codebase
    .functionsNamed(name)
    .filter((one) => one.program.dialect === program.dialect && takes(one.node, call));
  const alike = lastName(receiver);
  const close = alike === null ? [] : all.filter(({ node }) => isAlike(alike, classNameOf(node)));
  if (close.length > 0 && close.length <= sameNameMax) return close;
  if (isCommonMethod(name) || isOfOtherPackage(codebase, program, receiver)) return [];
  const here = all.filter((one) => one.program === program);
  if (here.length > 0 && here.length <= sameNameMax) return here;
  return all.length <= sameNameMax ? all : [];
}

/** Returns whether a name is imported from a module that wasn't given: none of the given functions is a member of it. */
function isOfOtherPackage(codebase: Codebase, program: Program, receiver: CodeNode): boolean {
  const { kind, name } = receiver;
  const binding = kind === "name" && name !== null ? resolve(program, name, receiver) : null;
  const imported = binding && importedBy(binding);
  return imported !== null && filesOf(codebase, program, imported.specifier).length === 0;
}

/** A wrong number of arguments is a failure in itself, so one more or less is allowed. */
function takes(node: CodeNode, call: CodeNode): boolean {
  const parameters = parametersOf(node);
  const given = argumentsOf(call).length;
  return given <= parameters.length + 1 || parameters.some((one) => is(one, "rest"));
}

/** Matches `customers` with `CustomerRepository`, and `store` with `SessionStore`. */
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
