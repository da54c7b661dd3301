import { headingAnchor } from "../docs/.vitepress/heading-anchor.ts";

/** A link within the repository: `path` relative to the file (empty for itself), `anchor` without `#`. */
export interface Link {
  readonly path: string;
  readonly anchor: string | undefined;
}

/** A fenced code block. */
export interface Fence {
  readonly language: string;
  /** The text after the language, such as a file name; empty when there is none. */
  readonly title: string;
  readonly text: string;
}

const fence = /^( *)```(\w*) *([^\n]*)\n([\s\S]*?)^\1```$/gm;

/** Returns the fenced blocks, in order; those in a list without its indentation. */
export function fencesIn(markdown: string): Fence[] {
  return [...markdown.matchAll(fence)].map(([, indent = "", language = "", title = "", text = ""]) => ({
    language,
    title,
    text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
}

/** Returns the links within the repository: no scheme, no host. */
export function localLinksIn(markdown: string): Link[] {
  const prose = proseOf(markdown);
  const targets = [...prose.matchAll(/\]\(([^()\s]+)\)/g), ...prose.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
  return targets
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target))
    .map((target) => {
      const [path = "", anchor] = target.split("#");
      return { path, anchor };
    });
}

/** Returns the possible `#anchor`s: each heading as GitHub spells it. */
export function anchorsIn(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of proseOf(markdown, "keep code").matchAll(/^#{1,6} (.+)$/gm)) {
    const base = headingAnchor(heading);
    let anchor = base;
    for (let repeat = 1; anchors.has(anchor); repeat++) anchor = `${base}-${repeat}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Returns the cells of each table row whose first cell is a single piece of code, without that cell's backticks. */
export function codeRowsIn(markdown: string): string[][] {
  return markdown
    .split("\n")
    .filter((line) => /^\| `[^`]+` *\|/.test(line))
    .map(cellsOf)
    .map(([first = "", ...rest]) => [first.replaceAll("`", ""), ...rest]);
}

/** Returns the tables outside of code: the cells of each line, starting with the head and the line below it. */
export function tablesIn(markdown: string): string[][][] {
  const blocks = proseOf(markdown, "keep code").matchAll(/(?:^ *\|.*(?:\n|$))+/gm);
  return [...blocks].map(([block]) => block.trimEnd().split("\n").map(cellsOf));
}

/** Splits a row into cells. A row without a final pipe has one cell too few, so it is noticed. */
function cellsOf(row: string): string[] {
  return row
    .trim()
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function proseOf(markdown: string, code: "keep code" | "drop code" = "drop code"): string {
  const unfenced = markdown.replace(fence, "");
  return code === "keep code" ? unfenced : unfenced.replace(/`[^`\n]*`/g, "");
}
