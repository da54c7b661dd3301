import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, keyText, lastName, pathOf, plain, textOf } from "../code/expressions.ts";
import { ownName } from "../code/functions.ts";
import { type CodeNode, isWithin, part, walkOwn } from "../code/ir.ts";
import { type Program, parametersOf } from "../code/program.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { isOnStack } from "../frames/stack-calls.ts";

const publishing: ReadonlySet<string> = new Set(
  "emit publish dispatch dispatchEvent send send_event trigger notify fire broadcast raise_event Publish Emit Dispatch Notify".split(
    " ",
  ),
);
const subscribing =
  "on once subscribe addListener addEventListener add_listener listen handle register connect receiver bind Subscribe On Handle Register".split(
    " ",
  );
/** Maximum subscriptions of one name in one file. */
const subscriptionsMax = 60;

/** A function of the endless recursion. */
export interface Cycling {
  readonly program: Program;
  readonly node: CodeNode;
}

/**
 * Notes where a handler of the events of a topic publishes one of this topic, itself or through what it calls, if both
 * are in an endless recursion: its own event calls it again.
 */
export function findOwnEvents(
  codebase: Codebase,
  cycle: readonly Cycling[],
  frames: readonly LocatedFrame[],
  trail: Trail,
): void {
  const published = cycle.flatMap(({ program, node }) => publishedBy(program, node, frames));
  if (published.length === 0) return;
  for (const { topic, handler } of handlersOf(codebase, cycle, frames)) {
    const events = published.filter((one) => one.topic === topic);
    const own = events.filter(({ call }) => isWithin(call, handler.node));
    const calls = own.length > 0 ? own.map(({ call }) => call) : callsOnStack(handler, frames);
    for (const call of events.length > 0 ? calls : []) {
      const args = { topic, code: textOf(call, handler.program.source) };
      trail.add({ kind: "own-event", args }, placeAt(handler.program, call), null);
    }
  }
}

function publishedBy(
  program: Program,
  owner: CodeNode,
  frames: readonly LocatedFrame[],
): { readonly topic: string; readonly call: CodeNode }[] {
  return [...walkOwn(owner)].flatMap((call) => {
    const topic = call.kind === "call" && publishing.has(call.name ?? "") ? topicOf(call) : null;
    return topic !== null && isOnStack(program, call, frames) ? [{ topic, call }] : [];
  });
}

function callsOnStack({ program, node }: Cycling, frames: readonly LocatedFrame[]): CodeNode[] {
  return [...walkOwn(node)].filter((one) => one.kind === "call" && isOnStack(program, one, frames)).slice(0, 1);
}

/** Returns the functions of the recursion that are registered for the events of a topic. */
function handlersOf(
  codebase: Codebase,
  cycle: readonly Cycling[],
  frames: readonly LocatedFrame[],
): { readonly topic: string; readonly handler: Cycling }[] {
  const named = (name: string | null): Cycling[] =>
    name === null ? [] : cycle.filter(({ node }) => ownName(node) === name);
  const handlersIn = (program: Program, call: CodeNode): Cycling[] => {
    const given = argumentsOf(call).flatMap(({ value }) => {
      const node = plain(value);
      if (node.kind === "name" || node.kind === "member") return named(lastName(node));
      if (node.kind !== "function" || !isOnStack(program, node, frames)) return [];
      const passedTo = named(delegateOf(node));
      return passedTo.length > 0 ? passedTo : [{ program, node }];
    });
    // A decorator registers the function below it.
    const beside = call.parent?.parent?.kind === "sequence" ? call.parent.parent.children : [];
    return [...given, ...cycle.filter(({ node }) => beside.includes(node) && !isWithin(call, node))];
  };
  return codebase.own().flatMap((program) =>
    subscribing.flatMap((name) =>
      (program.calls.get(name) ?? []).slice(0, subscriptionsMax).flatMap((call) => {
        const topic = topicOf(call);
        return topic === null ? [] : handlersIn(program, call).map((handler) => ({ topic, handler }));
      }),
    ),
  );
}

/** Returns the function that another one only passes its parameters to: `(event) => this.onEvent(event)`. */
function delegateOf(node: CodeNode): string | null {
  const names = new Set(parametersOf(node).map(({ name }) => name));
  const body = part(node, "body");
  const [only, ...others] = body?.kind === "block" ? body.children : body ? [body] : [];
  const call = only?.kind === "return" ? part(only, "value") : only;
  if (call?.kind !== "call" || others.length > 0) return null;
  return argumentsOf(call).every(({ value }) => value.kind === "name" && names.has(value.name)) ? lastName(call) : null;
}

/** Returns the literal or the constant that a call names a topic by. */
function topicOf(call: CodeNode): string | null {
  const first = argumentsOf(call)[0]?.value;
  if (!first) return null;
  const path = plain(first).kind === "member" ? pathOf(first) : null;
  return keyText(first) ?? path?.join(".") ?? null;
}
