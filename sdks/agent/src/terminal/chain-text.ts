import type { ChainLink, Location, Report } from "@whence/protocol";
import { namesPlace } from "./named-place.ts";
import { plainText } from "./plain-text.ts";
import { type Style, wrap } from "./style.ts";

const arrow = "→ ";

/** Formats the causal chain, one link per line after an arrow, each indented further; empty when it isn't known. */
export function chainText({ chain }: Pick<Report, "chain">, style: Style, columns: number): string {
  return chain
    .map((link, depth) => linkText(link, ownerOf(link) === ownerOf(chain[depth - 1]), depth, style, columns))
    .join("\n");
}

/** `isOfSame`: the link before is of the same service and release. */
function linkText(link: ChainLink, isOfSame: boolean, depth: number, style: Style, columns: number): string {
  const indent = "  ".repeat(depth + 1);
  const owner = isOfSame ? "" : ownerOf(link);
  const place = link.location && !namesPlace(link.what, link.location) ? placeText(link.location) : "";
  const cited = link.evidence_ids.length === 0 ? "" : ` [${link.evidence_ids.join(", ")}]`;
  const where = [owner, place].filter((part) => part !== "").join(" · ");
  const what = where === "" ? `${link.what}${cited}` : link.what;
  const [first = "", ...rest] = wrap(plainText(what), columns - arrow.length, indent).split("\n");
  const mark = depth === 0 ? "" : arrow;
  const within = " ".repeat(mark.length);
  const lines = [`${indent}${mark}${first.slice(indent.length)}`, ...rest.map((line) => `${within}${line}`)];
  return [...lines, ...(where === "" ? [] : [style.dim(plainText(`${indent}${within}${where}${cited}`))])].join("\n");
}

function ownerOf(link: ChainLink | undefined): string {
  return [link?.service, link?.release].filter((part) => part !== undefined).join(" ");
}

/** Formats a place: `src/pay.js:12 in charge`. */
function placeText({ file, line, function: name }: Location): string {
  return `${file}${line === null ? "" : `:${line}`}${name === null ? "" : ` in ${name}`}`;
}
