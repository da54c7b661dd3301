import type { CodeSignalArgs } from "../../signals/signal.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, plain, receiverOf, textOf } from "../code/expressions.ts";
import type { CodeNode } from "../code/ir.ts";
import { importedBy } from "../code/modules.ts";
import { patternsOf, type UsedPattern } from "../code/patterns.ts";
import type { Program } from "../code/program.ts";
import { resolve, writesReaching } from "../code/scopes.ts";

type Unmatched = NonNullable<CodeSignalArgs["bad-value"]["unmatched"]>;

/** Calls that give nothing for a text that doesn't match. */
const matching: ReadonlySet<string> = new Set(["exec", "match", "fullmatch", "search"]);
/** Longer patterns aren't quoted. */
const patternUnitsMax = 120;

/** Returns the match of a regular expression that gives a value, also by way of a variable; null for other values. */
export function unmatchedBy(codebase: Codebase, program: Program, value: CodeNode): Unmatched | null {
  const call = setTo(program, plain(value));
  if (!matching.has(call.name ?? "") || call.kind !== "call") return null;
  const found = patternsOf(codebase, program, call).find((one) => isPattern(one, program, call));
  const text = found && triedBy(found, program, call);
  if (!text) return null;
  const pattern = textOf(found.node, found.program.source);
  return {
    code: textOf(call, program.source),
    text: textOf(text, program.source),
    pattern: pattern.length <= patternUnitsMax ? pattern : null,
  };
}

/** Returns what a variable was set to last; any other expression as it is. */
function setTo(program: Program, node: CodeNode): CodeNode {
  const binding = node.kind === "name" && node.name !== null ? resolve(program, node.name, node) : null;
  const [last] = binding?.kind === "variable" ? writesReaching(binding, node) : [];
  return last?.value && last.path.length === 0 ? plain(last.value) : node;
}

/** Returns whether a text is a regular expression for sure: it is written or made as one, or given to a module's call. */
function isPattern({ node, program: { dialect }, used }: UsedPattern, program: Program, call: CodeNode): boolean {
  if (node.kind === "pattern" || dialect.patterns?.making.has(node.parent?.name ?? "")) return true;
  return used !== receiverOf(call) && isOfModule(program, call);
}

/** Returns the text that a call tries a regular expression on. */
function triedBy({ used }: UsedPattern, program: Program, call: CodeNode): CodeNode | null {
  const [first, second] = argumentsOf(call).map(({ value }) => value);
  const on = receiverOf(call);
  if (used === on) return first ?? null;
  return isOfModule(program, call) ? (second ?? null) : on;
}

/** Returns whether a function of a module is called: `re.match(pattern, text)`. */
function isOfModule(program: Program, call: CodeNode): boolean {
  const on = receiverOf(call);
  const binding = on?.kind === "name" && on.name !== null ? resolve(program, on.name, on) : null;
  return binding !== null && importedBy(binding)?.path.length === 0;
}
