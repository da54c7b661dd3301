import { call } from "./call-line.ts";
import type { ReadableLine } from "./readable-line.ts";

/** Lines of a stack further apart than this belong to different errors. */
const linesBetweenMax = 100;
/** What goes on with an error: an indented line, a call, or a cause. */
const goesOn = /^(?:\s+\S|Caused by: |During handling of |The above exception )/;

/**
 * Puts the lines of each program that go on with an error next to each other, where several programs wrote into one
 * log at once.
 */
export function withoutInterleaving(lines: readonly ReadableLine[]): readonly ReadableLine[] {
  const apps = new Set(lines.map(({ carrier }) => carrier?.app ?? null));
  if (apps.size < 2) return lines;
  /** Blocks of lines of one program, each at the place of its first line. */
  const blocks: ReadableLine[][] = [];
  const latest = new Map<string, { readonly block: ReadableLine[]; readonly index: number }>();
  for (const [index, line] of lines.entries()) {
    const app = line.carrier?.app ?? null;
    const known = app === null ? undefined : latest.get(app);
    const isNear = known !== undefined && index - known.index <= linesBetweenMax;
    const isOwn = known?.index === index - 1;
    const block = isNear && (isOwn || goesOn.test(line.text) || call.test(line.text)) ? known.block : [];
    if (block.length === 0) blocks.push(block);
    block.push(line);
    // What no program is named for may belong to any of them.
    if (app === null) latest.clear();
    else latest.set(app, { block, index });
  }
  return blocks.flat();
}
