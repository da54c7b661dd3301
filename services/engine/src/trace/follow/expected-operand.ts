import { textOf } from "../code/expressions.ts";
import { type CodeNode, walk } from "../code/ir.ts";
import type { Site, UsedValue } from "./throw-site.ts";

const raiseNodesMax = 200;
const holesMax = 12;
const data = /\.(?:json|jsonl|ndjson|csv|tsv|txt|ya?ml|toml|ini|conf|cfg|properties|xml)$/;
/** What configures the tools of a program, or lists its packages. */
const tools = /(?:^|\/)(?:package|package-lock|tsconfig|pnpm-lock|requirements|pom)\.\w+$|(?:^|\/)node_modules\//;
/** A shorter value is in too many files. */
const printedUnitsMin = 2;

/**
 * Puts the value that a program computed before the one that it was compared with: of two values that the message
 * prints, one that a data file contains as printed is what was expected.
 */
export function computedFirst(site: Site, raise: CodeNode, values: readonly UsedValue[]): readonly UsedValue[] {
  if (values.length !== 2) return values;
  const printed = printedIn(site, raise);
  const [isFirst, isSecond] = values.map(({ node }) => isInData(site, printed.get(textOf(node, site.program.source))));
  return isFirst && isSecond === false ? values.toReversed() : values;
}

/** Returns what the message shows of each expression in the template that it was made by. */
function printedIn({ program, error }: Site, raise: CodeNode): ReadonlyMap<string, string> {
  const printed = new Map<string, string>();
  const template = [...walk(raise, raiseNodesMax)].find(({ kind }) => kind === "template");
  let hole: CodeNode | null = null;
  let at = 0;
  const show = (end: number): void => {
    if (hole && end >= at) printed.set(textOf(hole, program.source), error.message.slice(at, end).trim());
  };
  for (const part of template?.children.slice(0, 2 * holesMax) ?? []) {
    if (part.kind !== "string") {
      hole = part;
      continue;
    }
    const found = error.message.indexOf(part.name ?? "", at);
    if (found < 0) return new Map();
    show(found);
    hole = null;
    at = found + (part.name ?? "").length;
  }
  show(error.message.length);
  return printed;
}

/** Returns whether a printed value is a word of a given data file; undefined where none was printed. */
function isInData({ codebase }: Site, printed: string | undefined): boolean | undefined {
  if (printed === undefined || printed.length < printedUnitsMin) return undefined;
  return codebase.files.all.some(({ name, text }) => data.test(name) && !tools.test(name) && hasWord(text, printed));
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/[\w.]/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + word.length))) return true;
  return false;
}
