import { inlineCode } from "../../../prose.ts";
import { part } from "../tree/code-node.ts";
import { textOf } from "../tree/expressions.ts";
import { anyReceiver, divisor, type Failing, missing, type Site, type Suspicion } from "../tree/throw-site.ts";

/** What Go's runtime says when it panics, and which expression of the line it means (runtime/error.go, runtime/chan.go, runtime/map.go). */
export const goFailures: readonly Failing[] = [
  { pattern: /nil pointer dereference/, find: (site) => anyReceiver(site, "nil") },
  { pattern: /assignment to entry in nil map/, find: nilMap },
  { pattern: /index out of range|slice bounds out of range/, find: outOfRange },
  { pattern: /integer divide by zero/, find: divisor },
  {
    pattern: /interface conversion: .{0,200}? is (\S+), not (\S+)/,
    find: (site, [, is = "", not = ""]) => asserted(site, is, not),
  },
  { pattern: /(?:send on|close of) (?:closed|nil) channel/, find: channel },
];

function nilMap(site: Site): Suspicion | null {
  const node = site.nodes.find(({ kind }) => kind === "index");
  const on = node && part(node, "on");
  return on ? missing(site, on, "nothing", "was a nil map when it was written to") : null;
}

function outOfRange(site: Site): Suspicion | null {
  const node = site.nodes.findLast(({ kind, type }) => kind === "index" || type === "slice_expression");
  const [on, key] = node ? [part(node, "on") ?? node.children[0], part(node, "key")] : [];
  if (!on) return null;
  return {
    ...missing(site, on, "any", "has fewer elements than are read"),
    subjects: [...(key ? [{ node: key, wanted: "any" as const }] : []), { node: on, wanted: "any" }],
  };
}

/** `value.(T)`, of a value that is of another type. */
function asserted(site: Site, is: string, not: string): Suspicion | null {
  const { source } = site.program;
  const node = site.nodes.find(({ type }) => type === "type_assertion_expression");
  const value = node && part(node, "value");
  if (!value) return null;
  return {
    kind: "nullish-operand",
    says: `${inlineCode(textOf(value, source))} is asserted to be ${inlineCode(not)} and was ${inlineCode(is)}`,
    subjects: [{ node: value, wanted: is === "nil" || is === "nil," ? "nothing" : "any" }],
  };
}

function channel(site: Site): Suspicion | null {
  const node = site.nodes.find(({ type }) => type === "send_statement");
  const on = node?.children[0];
  return on ? missing(site, on, "nothing", "was closed when something was sent on it") : null;
}
