import { wordsOfName } from "../../words/name-words.ts";
import { saidBy } from "../../words/thrown.ts";
import { argumentsOf, assignedBy, isSame, keyText, lastName, plain, textOf } from "../code/expressions.ts";
import { type CodeNode, functionNodesMax, part, partsOf, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { ownNodes } from "./own-nodes.ts";
import { tiesToTrail } from "./ties-to-trail.ts";

/** What an error says when a list has fewer elements than the code expects. */
const shortList =
  /of undefined\b|\bundefined is not|is undefined\b|IndexError|out of (?:range|bounds)|\bempty\b|no (?:rows|items|pages?)\b/i;

/** Words of what is counted, and of what a count is of. A position, divided and one more, is right: it counts from 1. */
const counted = /^(?:total|totals|count|counts|length|len|size|rows|items|records|entries|results|n|num|amount)$/;
const counts = /^(?:pages?|batch(?:es)?|chunks?|groups?|parts?)$/;
const position = /^(?:offset|index|skip|start|cursor|position|month|day|hour|id|rank|i|from|current)$/;

/** Notes where a number of pages is one too many whenever the last page is full, if the failing value depends on it. */
export function findPageCounts({ codebase, chain }: Failure, trail: Trail): void {
  if (!chain.some(({ exception }) => shortList.test(saidBy(exception)))) return;
  const isTied = tiesToTrail(trail);
  for (const { program, node } of ownNodes(codebase)) {
    const found = pagesIn(program, node);
    if (!found || !isTied(program, node)) continue;
    const args = { code: textOf(node, program.source), total: found.total, size: found.size };
    trail.add({ kind: "page-count", args }, placeAt(program, node), null);
  }
}

/** Returns what `Math.floor(total / size) + 1` and `total // size + 1` divide. */
function pagesIn(program: Program, node: CodeNode): { readonly total: string; readonly size: string } | null {
  const [left, right] = [part(node, "left"), part(node, "right")];
  if (node.kind !== "binary" || node.name !== "+" || !left || !right) return null;
  const whole = keyText(right) === "1" ? left : keyText(left) === "1" ? right : null;
  const division = whole && divisionIn(whole);
  const [over, by] = division ? [part(division, "left"), part(division, "right")] : [null, null];
  if (!over || !by || keyText(by) === "2" || !isCount(program, node, over) || isTested(node, over, by)) return null;
  return { total: textOf(over, program.source), size: textOf(by, program.source) };
}

/** Returns whether the function around it looks at what is left over: `total % size`, `divmod(total, size)`. */
function isTested(sum: CodeNode, over: CodeNode, by: CodeNode): boolean {
  for (const node of sum.owner ? walk(sum.owner, functionNodesMax) : []) {
    const [left, right] =
      node.kind === "binary" && node.name === "%"
        ? [part(node, "left"), part(node, "right")]
        : node.kind === "call" && node.name === "divmod"
          ? partsOf(node, "argument")
          : [];
    if (left && right && isSame(left, over) && isSame(right, by)) return true;
  }
  return false;
}

const flooring: ReadonlySet<string> = new Set(["floor", "trunc", "int", "parseInt"]);

function divisionIn(node: CodeNode): CodeNode | null {
  const at = plain(node);
  if (at.kind === "binary" && at.name === "//") return at;
  const [inner] = at.kind === "call" && flooring.has(at.name ?? "") ? argumentsOf(at) : [];
  const value = inner && plain(inner.value);
  return value?.kind === "binary" && value.name === "/" ? value : null;
}

function isCount(program: Program, sum: CodeNode, over: CodeNode): boolean {
  const words = wordsOfName(lastName(over) ?? "");
  if (words.some((word) => position.test(word)) || isLessOne(over)) return false;
  if (words.some((word) => counted.test(word))) return true;
  const target = sum.parent && assignedBy(sum.parent, program.source)?.target;
  return wordsOfName(target ?? "").some((word) => counts.test(word));
}

/** `(total - 1) / size` is the number of the last page, counted from 0. */
function isLessOne(node: CodeNode): boolean {
  return plain(node).kind === "binary";
}
