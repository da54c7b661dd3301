import { type Composition, type Construct, constructKinds, knownCalls } from "../../source/constructs.ts";
import type { KnownCalls } from "../dialects/dialect.ts";
import { lastName } from "./expressions.ts";
import { type CodeNode, is, type Kind } from "./ir.ts";

const ofKind: ReadonlyMap<Kind, readonly Construct[]> = new Map(constructKinds.map((kind) => [kind, [kind]]));
const operators: readonly (readonly [Construct, RegExp])[] = [
  ["comparison", /^(?:[=!]==?|[<>]=?|(?:not )?in|is(?: not)?|instanceof)$/],
  ["arithmetic", /^(?:[-+/%&^]|\*\*?|\/\/|<<|>>>?)$/],
  ["alternative", /^(?:\|\||&&|\?\?|or|and)$/],
];

/** Counts the constructs among some nodes. */
export function compositionOf(nodes: Iterable<CodeNode>, calls: KnownCalls): Composition {
  const counts = new Map<Construct, number>();
  for (const node of nodes)
    for (const construct of constructsOf(node, calls)) counts.set(construct, (counts.get(construct) ?? 0) + 1);
  return counts;
}

function constructsOf(node: CodeNode, calls: KnownCalls): readonly Construct[] {
  switch (node.kind) {
    case "call":
      return constructsOfCall(node, calls);
    case "function":
      return is(node, "async") ? ["function", "async"] : ["function"];
    case "binary":
      return operators.flatMap(([operation, names]) => (names.test(node.name ?? "") ? [operation] : []));
    default:
      return ofKind.get(node.kind) ?? [];
  }
}

function constructsOfCall(call: CodeNode, calls: KnownCalls): readonly Construct[] {
  const name = lastName(call);
  const known = name === null ? [] : knownCalls.filter((one) => calls[one].has(name));
  return [
    "call",
    ...known,
    ...(is(call, "new") ? ["new" as const] : []),
    ...(call.owner ? [] : ["moduleCall" as const]),
  ];
}
