import type { RemedyOf } from "../../signals/code/remedy.ts";
import { calleesOf } from "../code/calls.ts";
import { type Argument, argumentsOf, lastName, plain } from "../code/expressions.ts";
import { classAround, ownName } from "../code/functions.ts";
import { type CodeNode, is, part, walkOwn } from "../code/ir.ts";
import { namesIn, type Program, parametersOf } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import { nodesAtFrame } from "../frames/stack-calls.ts";
import { type Broken, type Edit, insert, type Repair, type Repairing } from "./repair.ts";
import { entryIn } from "./restore-entry.ts";

/** A call, and the function whose parameter it fills. */
interface Site {
  readonly program: Program;
  readonly call: CodeNode;
  readonly owner: CodeNode;
  readonly parameters: readonly CodeNode[];
  readonly given: readonly Argument[];
  /** The position of the failing parameter. */
  readonly failing: number;
}

/**
 * Corrects a call by the names of the function's parameters: two arguments that each belong in the other's place; an
 * argument, or an entry of one, that is missing and whose name is a variable at the call.
 */
export const passArguments: Repairing<RemedyOf<"arguments">> = ({ parameter }, broken) => {
  for (const site of sitesOf(parameter, broken)) {
    const edits = swapped(site) ?? added(site) ?? completed(site, parameter);
    if (edits) return { by: "arguments", edits, subject: site.call.name ?? "" } satisfies Repair;
  }
  return null;
};

/** Returns the calls on the stack that fill the parameter; without one there, the only call. */
function sitesOf(parameter: string, broken: Broken): Site[] {
  const { program, codebase, frames, signal } = broken;
  const { source } = program;
  const owners = program.functions.filter((one) =>
    parametersOf(one).some((each) => source.lineAt(each.start) === signal.subject.line && takes(each, parameter)),
  );
  const [owner, other] = owners;
  const name = owner && ownName(owner);
  if (!owner || other || !name) return [];
  const isMethod = program.dialect.hasSelfParameter && classAround(owner) !== null;
  const declared = parametersOf(owner);
  // A static method has no parameter for its object.
  const hasSelf = isMethod && /^(?:self|cls)$/.test(declared[0]?.name ?? "");
  const parameters = declared.slice(hasSelf ? 1 : 0);
  const failing = parameters.findIndex((one) => takes(one, parameter));
  const ofOwner = (caller: Program, call: CodeNode): boolean =>
    call.kind === "call" && calleesOf(codebase, caller, call).some(({ node }) => node === owner);
  const onStack = frames.flatMap((frame) => {
    const caller = frame.place && codebase.of(frame.place.source);
    return caller
      ? nodesAtFrame(caller, frame).flatMap((call) => (ofOwner(caller, call) ? [{ caller, call }] : []))
      : [];
  });
  const all = codebase
    .near()
    .flatMap((caller) =>
      (caller.calls.get(name) ?? []).flatMap((call) => (ofOwner(caller, call) ? [{ caller, call }] : [])),
    );
  if (failing < 0) return [];
  const found = onStack.length > 0 ? onStack : all.length === 1 ? all : [];
  return found.map(({ caller, call }) => ({
    program: caller,
    call,
    owner,
    parameters,
    failing,
    given: argumentsOf(call),
  }));
}

function takes(parameter: CodeNode, name: string): boolean {
  if (parameter.name !== null) return parameter.name === name;
  const target = part(parameter, "target");
  return target !== null && (name === "" || namesIn(target).some((one) => one.name === name));
}

/** Returns whether an argument fits a parameter by its name or form. */
function fits({ owner }: Site, argument: CodeNode, parameter: CodeNode): boolean {
  const value = plain(argument);
  const target = part(parameter, "target");
  if (target) {
    const keys = new Set(target.children.map(({ name }) => name));
    return value.kind === "object" && value.children.length > 0 && value.children.every(({ name }) => keys.has(name));
  }
  const { name } = parameter;
  if (name === null) return false;
  if (value.kind === "function") return isCalled(owner, name);
  return lastName(value)?.toLowerCase() === name.toLowerCase() && value.kind !== "call";
}

function isCalled(owner: CodeNode, name: string): boolean {
  for (const node of walkOwn(owner)) {
    const callee = node.kind === "call" ? part(node, "callee") : null;
    if (callee?.kind === "name" && callee.name === name) return true;
  }
  return false;
}

/** Returns the edits that exchange the only two arguments that fit better in each other's place. */
function swapped(site: Site): Edit[] | null {
  const { given, parameters, failing, program } = site;
  if (given.some(({ name, value }) => name !== null || value.kind === "spread")) return null;
  const pairs = given.flatMap(({ value: left }, first) =>
    given.slice(first + 1).flatMap(({ value: right }, offset) => {
      const second = first + 1 + offset;
      const [one, other] = [parameters[first], parameters[second]];
      if (!one || !other || (failing !== first && failing !== second)) return [];
      const isWrong = !fits(site, left, one) && !fits(site, right, other);
      const isRight = fits(site, left, other) || fits(site, right, one);
      return isWrong && isRight ? [[left, right] as const] : [];
    }),
  );
  const [pair, another] = pairs;
  if (!pair || another) return null;
  const [left, right] = pair;
  const { source } = program;
  return [
    { source, start: left.start, end: left.end, text: source.text.slice(right.start, right.end) },
    { source, start: right.start, end: right.end, text: source.text.slice(left.start, left.end) },
  ];
}

/** Returns the edit that adds the only argument that is missing, a variable with the name of its parameter. */
function added(site: Site): Edit[] | null {
  const { given, parameters, failing, program, call } = site;
  const isPlain = given.every(({ name, value }) => name === null && value.kind !== "spread");
  if (!isPlain || given.length >= parameters.length || failing < 0) return null;
  const places = parameters.flatMap((parameter, place) => {
    const isLeftOut =
      place <= given.length &&
      place <= failing &&
      !part(parameter, "fallback") &&
      !is(parameter, "rest") &&
      given.slice(0, place).every(({ value }, index) => !fitsLater(site, value, index)) &&
      given.slice(place).every(({ value }, index) => fits(site, value, parameters[place + 1 + index] ?? parameter));
    const text = isLeftOut ? variableFor(program, call, parameter) : null;
    return text === null ? [] : [{ place, text }];
  });
  const [only, other] = places;
  if (!only || other) return null;
  const next = given[only.place]?.value;
  const before = given[only.place - 1]?.value;
  if (next) return [insert(program.source, next.start, `${only.text}, `)];
  if (before) return [insert(program.source, before.end, `, ${only.text}`)];
  const end = program.source.text.lastIndexOf(")", call.end);
  return program.source.text.slice(0, end).trimEnd().endsWith("(") ? [insert(program.source, end, only.text)] : null;
}

function fitsLater(site: Site, value: CodeNode, index: number): boolean {
  const { parameters } = site;
  return parameters.slice(index + 1).some((parameter) => fits(site, value, parameter));
}

/** Returns the variable of a parameter's name that is set at a call; null without one. */
function variableFor(program: Program, call: CodeNode, parameter: CodeNode): string | null {
  const target = part(parameter, "target");
  const names =
    parameter.name === null
      ? target?.kind === "object"
        ? target.children.map(({ name }) => name)
        : []
      : [parameter.name];
  const isSet = (name: string | null): name is string => {
    const binding = name === null ? null : resolve(program, name, call);
    return (
      binding !== null &&
      (binding.kind === "parameter" || (binding.kind === "variable" && binding.node.end < call.start))
    );
  };
  if (names.length === 0 || !names.every(isSet)) return null;
  return parameter.name ?? `{ ${names.join(", ")} }`;
}

/** Returns the edit that adds an entry to the object that fills a destructured parameter. */
function completed({ program, given, failing, parameters }: Site, name: string): Edit[] | null {
  const parameter = parameters[failing];
  const argument = given[failing];
  const target = parameter && part(parameter, "target");
  const object = argument && plain(argument.value);
  if (!target || object?.kind !== "object" || name === "") return null;
  const edit = entryIn(program, object, name);
  return edit && [edit];
}
