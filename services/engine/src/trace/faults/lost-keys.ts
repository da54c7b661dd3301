import type { AnyCodeSignal, CodeSignal } from "../../signals/signal.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, lastName, plain, receiverOf, textOf } from "../code/expressions.ts";
import { around, type CodeNode, functionNodesMax, nodesBetween, part, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { keyRead } from "../follow/throw-site.ts";
import type { Trail } from "../follow/trail.ts";

type Step = CodeSignal<"value-step">;

/** A lookup that found nothing under a number. */
interface Lookup {
  readonly signal: AnyCodeSignal;
  readonly key: string;
}

const nodesMax = 400;
/** Calls that make a number of a text, and arguments of a parser that may. */
const converting: ReadonlySet<string> = new Set(
  "int Number parseInt float enumerate object_hook object_pairs_hook".split(" "),
);
const numbers: ReadonlySet<string> = new Set(["int", "number"]);

/**
 * Notes where an object is handed on as a parser of JSON returned it, if the program writes JSON and the failing code
 * looks it up by a number: its keys are texts.
 */
export function findLostKeys({ codebase }: Failure, trail: Trail): void {
  if (!codebase.near().some(isWriting)) return;
  const signals = trail.signals();
  // A parser on the trail is surer than one in a function that the trail passes.
  const steps = signals.toSorted(
    (left, right) => Number(isParse(right)) - Number(isParse(left)) || right.steps - left.steps,
  );
  for (const lookup of signals.flatMap((signal) => lookupAt(codebase, trail, signal) ?? [])) {
    for (const step of steps) {
      const chain = step.kind === "value-step" ? chainTo(step, lookup.signal) : null;
      const read = chain && chain.length > 0 && !isOfKey(chain, lookup) ? parsedAt(codebase, chain) : null;
      if (!read) continue;
      const { program, parse, handed } = read;
      const args = {
        parse: textOf(part(parse, "callee") ?? parse, program.source),
        key: lookup.key,
        handed: handed.args.assigned?.target ?? handed.args.code,
      };
      trail.add({ kind: "lost-keys", args }, handed.subject, lookup.signal);
      return;
    }
  }
}

/** Returns whether a file writes JSON: in data that people write, texts are meant to be keys. */
function isWriting({ calls, dialect }: Program): boolean {
  return [...dialect.calls.serializing].some((name) => calls.has(name));
}

function isParse(signal: AnyCodeSignal): boolean {
  return signal.kind === "value-step" && signal.args.how === "parsed-text";
}

/** Returns a signal as a lookup by a number: `KeyError: 4`, or `get(number)` where the number is declared as one. */
function lookupAt(codebase: Codebase, trail: Trail, signal: AnyCodeSignal): Lookup | null {
  if (signal.kind === "bad-value") {
    const { use, was, member } = signal.args;
    const isNumber = use === "element" && was === member && /^\d+$/.test(was) && trail.messages.includes(was);
    return isNumber ? { signal, key: was } : null;
  }
  if (signal.kind !== "value-step" || signal.args.how !== "lookup") return null;
  const program = codebase.of(signal.subject.source);
  const key = program && keysOn(program, signal.subject.line).find((one) => isNumber(program, one));
  return key?.name ? { signal, key: key.name } : null;
}

/** Returns the keys of the lookups on a line. */
function keysOn(program: Program, line: number): CodeNode[] {
  const { start, end } = program.source.lines(line, line);
  return nodesBetween(program.tree, start, end, nodesMax).flatMap((node) => keyRead(program, node)?.key ?? []);
}

function isNumber(program: Program, key: CodeNode): boolean {
  const binding = key.kind === "name" && key.name !== null ? resolve(program, key.name, key) : null;
  return binding !== null && numbers.has(binding.node.type ?? "");
}

/** Returns the steps from one to a signal, that signal left out; null where the step doesn't lead to it. */
function chainTo(step: Step, signal: AnyCodeSignal): Step[] | null {
  const chain: Step[] = [];
  for (let at: AnyCodeSignal | null = step; at !== null; at = at.towards) {
    if (at === signal) return chain;
    if (at.kind === "value-step") chain.push(at);
  }
  return null;
}

/** Returns whether a chain leads to the key of a lookup, or to what is stored under one, rather than to the object. */
function isOfKey(chain: readonly Step[], { key, signal }: Lookup): boolean {
  const last = chain.at(-1);
  if (!last) return true;
  const expression = signal.kind === "bad-value" ? signal.args.expression : null;
  if (expression !== null) return !expression.endsWith(last.args.name) && !expression.endsWith(last.args.code);
  return last.args.name === key || last.args.code === key || last.args.assigned?.target.endsWith("]") === true;
}

interface ParsedObject {
  readonly program: Program;
  readonly parse: CodeNode;
  /** The step that hands the object on. */
  readonly handed: Step;
}

/** Returns the parser of JSON that a chain begins with, and where its result is handed on; null where keys may be converted. */
function parsedAt(codebase: Codebase, chain: readonly Step[]): ParsedObject | null {
  const [step] = chain;
  const program = step && codebase.of(step.subject.source);
  if (!step || !program) return null;
  const owner = ownerOf(codebase, step);
  const parse = owner && [...walk(owner, functionNodesMax)].find(isJsonParser);
  const isBefore = parse && (isParse(step) || program.source.lineAt(parse.end) < step.subject.line);
  if (!parse || !isBefore) return null;
  const end = chain.findIndex(({ args }) => args.how === "return");
  const own = end < 0 ? chain : chain.slice(0, end);
  const read = own.find(({ args }) => args.how === "property" && args.code.endsWith("]")) ?? step;
  const owners = chain.slice(0, chain.indexOf(read) + 1).flatMap((one) => ownerOf(codebase, one) ?? []);
  return owners.some(isConverting) ? null : { program, parse, handed: read };
}

function ownerOf(codebase: Codebase, { subject }: Step): CodeNode | null {
  const program = codebase.of(subject.source);
  if (!program) return null;
  const { start, end } = subject.source.lines(subject.line, subject.line);
  const [inner] = nodesBetween(program.tree, start, end, nodesMax).slice(-1);
  return inner ? around(inner, "function") : null;
}

/** Returns whether a function may make other keys: it converts them, or takes them from the values. */
function isConverting(owner: CodeNode): boolean {
  return [...walk(owner, functionNodesMax)].some((node) => {
    const { kind, name } = node;
    if ((kind === "call" || kind === "entry") && converting.has(name ?? "")) return true;
    const target = kind === "assign" ? part(node, "target") : null;
    const key = kind === "entry" ? part(node, "key") : target?.kind === "index" ? part(target, "key") : null;
    return key !== null && /^(?:index|member|call)$/.test(plain(key).kind);
  });
}

/** `json.loads(…)`, `json.load(…)`. In JavaScript, a number and its text are one key of an object. */
function isJsonParser(node: CodeNode): boolean {
  const on = node.kind === "call" && /^loads?$/.test(node.name ?? "") ? receiverOf(node) : null;
  return (
    on !== null && /^(?:json|orjson|ujson|simplejson)$/.test(lastName(plain(on)) ?? "") && argumentsOf(node).length > 0
  );
}
