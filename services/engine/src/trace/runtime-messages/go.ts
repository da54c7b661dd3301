import { lastName } from "../code/expressions.ts";
import { type CodeNode, part } from "../code/ir.ts";
import { divisor } from "../follow/failed-operand.ts";
import {
  anyReceiver,
  badValue,
  elementOf,
  elementUse,
  type FailedUse,
  type RuntimeMessage,
  type Site,
} from "../follow/throw-site.ts";
import { anything, nothing, short, zero } from "../follow/wanted.ts";

/**
 * The messages of Go's runtime panics (runtime/error.go, chan.go, and map.go), and the expression of the line that each
 * refers to.
 */
export const goMessages: readonly RuntimeMessage[] = [
  { pattern: /nil pointer dereference/, find: (site) => anyReceiver(site, "nil") },
  { pattern: /assignment to entry in nil map/, find: (site) => elementOf(site, "a nil map", nothing, "write") },
  // A start alone before the colon is negative; with an end, it is after that.
  { pattern: /slice bounds out of range \[\d+:\d+:?\]/, find: startTooHigh },
  { pattern: /slice bounds out of range \[:\d+:\d+\]/, find: (site) => outOfRange(site, "end too high") },
  { pattern: /out of range \[:{0,2}-\d+:?\]/, find: (site) => outOfRange(site, "negative index") },
  {
    pattern: /index out of range|slice bounds out of range/,
    find: (site) => outOfRange(site, "too short"),
  },
  { pattern: /integer divide by zero/, find: (site) => divisor(site, zero) },
  { pattern: /interface conversion: .{0,200}? is (\S+), not (\S+)/, find: (site, [, is = ""]) => asserted(site, is) },
  { pattern: /(?:send on|close of) (?:closed|nil) channel/, find: channel },
];

/** `value[from:until]`, or `value[from:]`, for which Go reports the length of the value as the end. */
function startTooHigh(site: Site): FailedUse | null {
  const endsOf = site.nodes.flatMap((node) => {
    const key = node.kind === "index" ? part(node, "key") : null;
    const end = key && /^[\s)]{0,100}:\s{0,100}(\S)/.exec(site.program.source.text.slice(key.end, node.end));
    return end ? [{ node, hasEnd: !/[\]/]/.test(end[1] ?? "") }] : [];
  });
  const isReversed = endsOf.length > 0 && endsOf.every(({ hasEnd }) => hasEnd);
  return outOfRange(site, isReversed ? "reversed bounds" : "start too high", endsOf.at(-1)?.node);
}

function outOfRange(
  site: Site,
  was: string,
  node = site.nodes.findLast((one) => one.kind === "index" && !isOfMap(site, one)),
): FailedUse | null {
  const [on, key] = node ? [part(node, "on"), part(node, "key")] : [];
  if (!on) return null;
  const values = [...(key ? [{ node: key, wanted: anything }] : []), { node: on, wanted: short }];
  return badValue(site, on, was, elementUse(node), null, values);
}

/** Returns whether an element is read of what the code declares or makes as a map, which has no end. */
function isOfMap({ codebase, program }: Site, node: CodeNode): boolean {
  const name = lastName(part(node, "on") ?? node);
  if (name === null) return false;
  const declared = new RegExp(`\\b${name}\\b(?:\\s{0,9}:?=|:)?\\s{1,40}(?:make\\()?map\\[`);
  return codebase.all().some((one) => one.dialect === program.dialect && declared.test(one.source.text));
}

/** `value.(T)` with a value of another type. */
function asserted(site: Site, is: string): FailedUse | null {
  const node = site.nodes.find(({ kind, name }) => kind === "sequence" && name === "cast");
  const value = node && part(node, "value");
  return value
    ? badValue(site, value, is.replace(/,$/, ""), "operand", null, [
        { node: value, wanted: is.startsWith("nil") ? nothing : anything },
      ])
    : null;
}

function channel(site: Site): FailedUse | null {
  const call = site.nodes.find(({ kind, name }) => kind === "call" && name === "close");
  const on = (call && part(call, "argument")) ?? site.nodes.find(({ kind }) => kind === "name");
  return on ? badValue(site, on, "closed", "operand", null, [{ node: on, wanted: anything }]) : null;
}
