import { calleesOf } from "../code/calls.ts";
import { definitionsOf } from "../code/definitions.ts";
import { argumentsOf, keyText, lastName, receiverOf } from "../code/expressions.ts";
import { type FoundFunction, returnsOf } from "../code/functions.ts";
import { reducing } from "../code/handed-objects.ts";
import { type CodeNode, isWithin, walkOwn } from "../code/ir.ts";
import { type Program, parametersOf } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Following } from "./following.ts";

/** What a callback receives from the code that calls it. */
export interface HandedValue {
  readonly program: Program;
  readonly node: CodeNode;
  /** Whether it receives the elements of the node, one at a time. */
  readonly isElement: boolean;
  /** What it receives of an element, where that is taken apart. */
  readonly path?: readonly string[];
}

/** Maximum number of calls of one name in one file that are examined. */
const callsMax = 100;
const handedMax = 4;
const listening =
  "on once addListener prependListener addEventListener subscribe consume handle process register use".split(" ");
const raising = "emit publish dispatch trigger send enqueue add fire".split(" ");
/** The index of the function's first argument in calls that schedule it. */
const timers: Readonly<Record<string, number>> = {
  setTimeout: 2,
  setInterval: 2,
  setImmediate: 1,
  nextTick: 1,
  queueMicrotask: 1,
};

/** Returns what a parameter of a callback receives: from `map`, from an event, or from the function that calls it. */
export function handedOver(tracer: Following, program: Program, owner: CodeNode, position: number): HandedValue[] {
  const call = owner.role === "argument" && owner.parent?.kind === "call" ? owner.parent : null;
  if (!call) return handedByEvents(tracer, program, owner, position);
  const name = call.name ?? "";
  const isReducer = reducing.test(name);
  const isElement =
    program.dialect.calls.each.has(name) && (position === (isReducer ? 1 : 0) || (name === "sort" && position === 1));
  if (isReducer && position === 0) {
    const [, initial] = argumentsOf(call);
    const returned = returnsOf(program, owner).flatMap((value) => value ?? []);
    return [...(initial ? [initial.value] : []), ...returned].map((node) => ({ program, node, isElement: false }));
  }
  const on = receiverOf(call);
  const taken = on && program.dialect.calls.each.has(name) ? takenOfElement(program, owner, name, position) : null;
  if (on && taken) return [{ program, node: on, isElement: true, path: taken }];
  if (isElement && on) return [{ program, node: on, isElement: name !== "then" }];
  const [first] = argumentsOf(call);
  // `map(function, list)`
  if (isElement && first && program.dialect.givesListToEach) {
    const list = argumentsOf(call)[1];
    return list ? [{ program, node: list.value, isElement: true }] : [];
  }
  const start = timers[name];
  const given = start === undefined ? undefined : argumentsOf(call)[start + position];
  if (given) return [{ program, node: given.value, isElement: false }];
  const byEvent = eventOf(call) === null ? [] : raisedFor(tracer, eventOf(call) ?? "", position);
  return byEvent.length > 0 ? byEvent : handedByCallee(tracer, program, call, owner, position);
}

/**
 * Returns what a parameter gets of each element, where that is taken apart: the value of an entry, or the element of a
 * list. Null where it gets the whole element.
 */
function takenOfElement({ dialect }: Program, owner: CodeNode, name: string, position: number): string[] | null {
  const count = parametersOf(owner).length;
  if (dialect.takesApart?.test(name) !== true) return null;
  if (count === 2) return position === 1 ? [] : null;
  return count > 2 && dialect.construction === "new-method" ? [String(position)] : null;
}

/** Finds calls by the parameter's name in the function that takes the callback. */
function handedByCallee(
  tracer: Following,
  program: Program,
  call: CodeNode,
  callback: CodeNode,
  position: number,
): HandedValue[] {
  const index = argumentsOf(call).findIndex(({ value }) => value === callback);
  return calleesOf(tracer.codebase, program, call)
    .flatMap((callee) => {
      const parameter = parametersOf(callee.node)[index];
      if (!parameter && program.dialect.construction === "new-method") return yielded(callee, position);
      const called = parameter?.name ? (callee.program.calls.get(parameter.name) ?? []) : [];
      return called
        .filter(
          (one) =>
            isWithin(one, callee.node) && resolve(callee.program, parameter?.name ?? "", one)?.node === parameter,
        )
        .flatMap((one): HandedValue[] => {
          const value = argumentsOf(one)[position]?.value;
          return value ? [{ program: callee.program, node: value, isElement: false }] : [];
        });
    })
    .slice(0, handedMax);
}

/** Finds what a Ruby method passes to its block. */
function yielded({ program, node: owner }: FoundFunction, position: number): HandedValue[] {
  const yields = [...walkOwn(owner)].filter(({ kind }) => kind === "yield");
  return yields.flatMap(({ children: [given] }): HandedValue[] => {
    const node = given?.children[position];
    return node ? [{ program, node, isElement: false }] : [];
  });
}

/** Finds where a named handler is registered for an event. */
function handedByEvents(tracer: Following, program: Program, owner: CodeNode, position: number): HandedValue[] {
  if (!program.dialect.hasEmitters) return [];
  const own = owner.name ?? lastName(owner.parent ?? owner);
  if (own === null) return [];
  for (const other of tracer.codebase.near()) {
    for (const name of listening) {
      for (const call of (other.calls.get(name) ?? []).slice(0, callsMax)) {
        const event = eventOf(call);
        const isIt = argumentsOf(call).some(
          ({ value }) =>
            lastName(value) === own && definitionsOf(tracer.codebase, other, value).some(({ node }) => node === owner),
        );
        if (event !== null && isIt) return raisedFor(tracer, event, position);
      }
    }
  }
  return [];
}

function eventOf(call: CodeNode): string | null {
  if (!listening.includes(call.name ?? "")) return null;
  const [event] = argumentsOf(call);
  return event ? keyOf(event.value) : null;
}

function raisedFor(tracer: Following, event: string, position: number): HandedValue[] {
  const found: HandedValue[] = [];
  for (const program of tracer.codebase.near()) {
    for (const name of raising) {
      for (const call of (program.calls.get(name) ?? []).slice(0, callsMax)) {
        const [raised, ...given] = argumentsOf(call);
        const value = given[position]?.value;
        if (raised && value && keyOf(raised.value) === event) found.push({ program, node: value, isElement: false });
      }
    }
  }
  return found.slice(0, handedMax);
}

/** Returns the name of an event, or the constant for it. */
function keyOf(event: CodeNode): string {
  return keyText(event) ?? lastName(event) ?? String(event.kind);
}
