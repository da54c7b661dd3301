import { cut, type ReadableLine } from "./readable-line.ts";

/** Panels in panels, such as the variables in a traceback of rich. */
const nestedMax = 3;

const top =
  /^(\s{0,400})(?:[╭┌][─━]{1,400}(?: (\S.{0,200}?) [─━]{1,400})?[╮┐]|\+-{1,400} (Traceback .{0,200}?) -{1,400}\+)$/;
const bottom = /^\s{0,400}(?:[╰└][─━]{1,400}[╯┘]|\+-{1,800}\+)$/;
const side = /^[│┃|](?: |$)/;
const otherSide = /\s?[│┃|]$/;

interface Panel {
  /** The line with the title. */
  readonly from: number;
  /** The line with the lower border, or else the last one. */
  readonly to: number;
  /** Where the border begins. */
  readonly column: number;
  readonly title: string;
}

/** Returns the panels that are drawn around lines, as rich draws its tracebacks: the outer ones, in reading order. */
export function panelsIn(lines: readonly string[]): readonly Panel[] {
  const panels: Panel[] = [];
  for (let from = 0; from < lines.length; from++) {
    const panel = panelAt(lines, from);
    if (!panel) continue;
    panels.push(panel);
    from = panel.to;
  }
  return panels;
}

function panelAt(lines: readonly string[], from: number): Panel | null {
  const found = top.exec(lines[from]?.trimEnd() ?? "");
  if (!found) return null;
  const column = found[1]?.length ?? 0;
  const isInside = (line: string | undefined): boolean => side.test(line?.slice(column) ?? "");
  let to = from;
  while (isInside(lines[to + 1])) to++;
  if (to === from) return null;
  if (bottom.test(lines[to + 1]?.trimEnd() ?? "")) to++;
  return { from, to, column, title: found[2] ?? found[3] ?? "" };
}

/** Removes the borders of panels, and the indentation of what a logger prints below one. */
export function withoutPanels(lines: readonly ReadableLine[]): readonly ReadableLine[] {
  let read = lines;
  for (let depth = 0; depth < nestedMax; depth++) {
    const panels = panelsIn(read.map(({ text }) => text));
    if (panels.length === 0) return read;
    read = opened(read, panels);
  }
  return read;
}

function opened(lines: readonly ReadableLine[], panels: readonly Panel[]): readonly ReadableLine[] {
  const read = [...lines];
  for (const [index, panel] of panels.entries()) {
    for (let at = panel.from; at <= panel.to; at++) {
      const line = lines[at];
      if (line) read[at] = inside(line, panel, at);
    }
    const next = panels[index + 1]?.from ?? lines.length;
    for (let at = panel.to + 1; panel.column > 0 && at < next; at++) {
      const line = lines[at];
      if (line?.text.slice(0, panel.column).trim() !== "") break;
      read[at] = cut(line, panel.column);
    }
  }
  return read;
}

function inside(line: ReadableLine, { from, to, column, title }: Panel, at: number): ReadableLine {
  if (at === from) return cut({ ...line, text: line.text.trimEnd() }, line.text.indexOf(title), title.length);
  if (at === to && bottom.test(line.text.trimEnd())) return cut(line, line.text.length);
  const width = column + (side.exec(line.text.slice(column))?.[0].length ?? 0);
  const framed = line.text.trimEnd().replace(otherSide, "");
  const text = framed.slice(width).trimEnd();
  return { ...cut(line, width, text.length), fillsPanel: text !== "" && framed.length === width + text.length };
}
