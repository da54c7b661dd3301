import type { ChainLink, Report } from "@whence/protocol";
import { plainText } from "./plain-text.ts";
import { type Style, wrap } from "./style.ts";

const arrow = "→ ";

/** Formats the causal chain, one link per line after an arrow, each indented further; empty when it isn't known. */
export function chainText({ chain }: Pick<Report, "chain">, style: Style, columns: number): string {
  return chain.map((link, depth) => linkText(link, depth, style, columns)).join("\n");
}

function linkText(link: ChainLink, depth: number, style: Style, columns: number): string {
  const indent = "  ".repeat(depth + 1);
  const [first = "", ...rest] = wrap(plainText(link.what), columns - arrow.length, indent).split("\n");
  const mark = depth === 0 ? "" : arrow;
  const within = " ".repeat(mark.length);
  const lines = [`${indent}${mark}${first.slice(indent.length)}`, ...rest.map((line) => `${within}${line}`)];
  const where = whereOf(link);
  return [...lines, ...(where === "" ? [] : [style.dim(`${indent}${within}${where}`)])].join("\n");
}

/** Formats a link's place: `payments 2.0.0 · src/pay.js:12 in charge [e1, e2]`. */
function whereOf({ service, release, location, evidence_ids: ids }: ChainLink): string {
  const owner = [service, release].filter((part) => part !== undefined).join(" ");
  const line = location && location.line !== null ? `:${location.line}` : "";
  const name = location && location.function !== null ? ` in ${location.function}` : "";
  const place = location ? `${location.file}${line}${name}` : "";
  const cited = ids.length === 0 ? "" : ` [${ids.join(", ")}]`;
  return plainText(`${[owner, place].filter((part) => part !== "").join(" · ")}${cited}`.trim());
}
