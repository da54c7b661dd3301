import { isLiteral, pathOf, textOf } from "../code/expressions.ts";
import { type CodeNode, part } from "../code/ir.ts";
import { badValue, type FailedUse, nearest, type Site } from "./throw-site.ts";
import type { Said } from "./trail.ts";
import type { Wanted } from "./wanted.ts";

/** Finds the divisor. */
export function divisor(site: Site, wanted: Wanted): FailedUse | null {
  const node = site.nodes.find(
    ({ kind, name }) => (kind === "binary" || kind === "assign") && /^(?:\/\/?|%)=?$/.test(name ?? ""),
  );
  const right = node && (part(node, "right") ?? part(node, "value"));
  return right ? badValue(site, right, "0", "divide", null, [{ node: right, wanted }]) : null;
}

/** Finds an operand that its operator doesn't accept: the one on a side, if that is known. */
export function operandOf(
  site: Site,
  operator: RegExp,
  was: string,
  wanted: Wanted,
  side: "left" | "right" | null = null,
): FailedUse | null {
  const node = nearest(
    site,
    site.nodes.filter((one) => (one.kind === "binary" || one.kind === "assign") && operator.test(one.name ?? "")),
  );
  if (!node) return null;
  const left = part(node, "left") ?? part(node, "target");
  const right = part(node, "right") ?? part(node, "value");
  const known = side === "left" ? [left] : side === "right" ? [right] : [left, right];
  const values = known.flatMap((one) => (one && !isLiteral(one) ? [{ node: one, wanted }] : []));
  const [only] = values;
  if (!only) return null;
  const found = badValue(site, node, was, "operand", null, values);
  return side === null || found.said.kind !== "bad-value" ? found : withOperand(found, found.said, site, only.node);
}

/** Says which operand an error is about, as the value that is read instead of the whole expression. */
function withOperand(
  found: FailedUse,
  said: Extract<Said, { readonly kind: "bad-value" }>,
  { program }: Site,
  node: CodeNode,
): FailedUse {
  const path = pathOf(node);
  const args = { ...said.args, ...(path && { path }), operand: textOf(node, program.source) };
  return { ...found, said: { ...said, args } };
}
