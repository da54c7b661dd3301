import { headingAnchor } from "../docs/.vitepress/heading-anchor.ts";

/** A link to somewhere in the repository: `path` relative to the file (empty: itself), `anchor` without `#`. */
export interface Link {
  readonly path: string;
  readonly anchor: string | undefined;
}

/** A fenced block of code. */
export interface Fence {
  readonly language: string;
  /** What stands behind the language, such as the name of a file; empty when nothing does. */
  readonly title: string;
  readonly text: string;
}

const fence = /^( *)```(\w*) *([^\n]*)\n([\s\S]*?)^\1```$/gm;

/** The fenced blocks, in order; those of a list without the indentation that they have there. */
export function fencesIn(markdown: string): Fence[] {
  return [...markdown.matchAll(fence)].map(([, indent = "", language = "", title = "", text = ""]) => ({
    ...{ language, title },
    text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
}

/** The links that stay in the repository: no scheme, no host. */
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

/** What a `#anchor` can name: each heading as GitHub spells it. */
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

/** The cells of each table row whose first cell is one piece of code, the backticks removed from that cell. */
export function codeRowsIn(markdown: string): string[][] {
  return markdown
    .split("\n")
    .filter((line) => /^\| `[^`]+` *\|/.test(line))
    .map(cellsOf)
    .map(([first = "", ...rest]) => [first.replaceAll("`", ""), ...rest]);
}

/** The tables outside of code: the cells of each line, with those of the head and of the line below it first. */
export function tablesIn(markdown: string): string[][][] {
  const blocks = proseOf(markdown, "keep code").matchAll(/(?:^ *\|.*(?:\n|$))+/gm);
  return [...blocks].map(([block]) => block.trimEnd().split("\n").map(cellsOf));
}

/** A line without a pipe at its end has one cell too few, so it is noticed. */
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
