import ts from "typescript";
import { inlineCode } from "../../../prose.ts";
import { type CallSite, type FoundFunction, functionFor } from "./calls.ts";
import { nameOf } from "./functions.ts";
import { type CallNode, isFunction, type Program } from "./program.ts";
import type { Programs } from "./programs.ts";
import { textOf } from "./walk.ts";

/** A call by which a function was given to somebody who calls it later. */
export interface Registration extends CallSite {
  /** One sentence: what it was registered for. */
  readonly says: string;
  /** The calls that hand it its arguments, and how many of theirs stand before these. */
  readonly raisedBy: readonly CallSite[];
  readonly offset: number;
}

/** Calls of one name in one file that are looked at. */
const callsMax = 100;
const listening = [
  "on",
  "once",
  "addListener",
  "prependListener",
  "addEventListener",
  "subscribe",
  "consume",
  "handle",
  "process",
  "register",
];
const raising = ["emit", "publish", "dispatch", "trigger", "send", "enqueue", "add", "fire"];
/** Where the arguments of the function begin in the call that sets it going. */
const timers: ReadonlyMap<string, number> = new Map([
  ["setTimeout", 2],
  ["setInterval", 2],
  ["setImmediate", 1],
  ["nextTick", 1],
  ["queueMicrotask", 1],
]);

/** Who registered a handler: for an event, with the calls that raise it, or with a timer. */
export function registrationsOf(programs: Programs, handler: FoundFunction): Registration[] {
  return programs
    .all()
    .flatMap((program) => [
      ...callsIn(program, listening).flatMap((call) => listenerBy(programs, program, call, handler)),
      ...callsIn(program, [...timers.keys()]).flatMap((call) => timerBy(programs, program, call, handler)),
    ]);
}

function callsIn(program: Program, names: readonly string[]): CallNode[] {
  return names.flatMap((name) => (program.calls.get(name) ?? []).slice(0, callsMax));
}

function listenerBy(programs: Programs, program: Program, call: CallNode, handler: FoundFunction): Registration[] {
  const [event, ...given] = call.arguments ?? [];
  if (!event || !given.some((one) => isHandler(programs, program, one, handler))) return [];
  const key = keyOf(event);
  const raisedBy = programs.all().flatMap((other) =>
    callsIn(other, raising).flatMap((raise): CallSite[] => {
      const [raised] = raise.arguments ?? [];
      return raised && keyOf(raised) === key ? [{ program: other, call: raise, frame: null }] : [];
    }),
  );
  const says = `${inlineCode(nameOf(handler.node) ?? "the handler")} is registered here for ${inlineCode(key)}`;
  return [{ program, call, frame: null, says, raisedBy, offset: 1 }];
}

function timerBy(programs: Programs, program: Program, call: CallNode, handler: FoundFunction): Registration[] {
  const [first] = call.arguments ?? [];
  if (!first || !isHandler(programs, program, first, handler)) return [];
  const name = textOf(call.expression);
  const says = `${inlineCode(nameOf(handler.node) ?? "the callback")} is set going by ${inlineCode(name)} here`;
  const site = { program, call, frame: null };
  return [{ ...site, says, raisedBy: [site], offset: timers.get(name.split(".").at(-1) ?? "") ?? 1 }];
}

function isHandler(programs: Programs, program: Program, given: ts.Expression, { node }: FoundFunction): boolean {
  if (isFunction(given)) return given === node;
  const isName = ts.isIdentifier(given) || ts.isPropertyAccessExpression(given) || ts.isCallExpression(given);
  return isName && functionFor(programs, program, given)?.node === node;
}

/** The name of an event, or the constant that stands for it. */
function keyOf(event: ts.Expression): string {
  return ts.isStringLiteralLike(event) ? event.text : textOf(event);
}
