import type { CodePlace, LocatedFrame } from "../../findings/located-frame.ts";
import type { SourceText, Span } from "../../source/source-text.ts";
import type { Codebase } from "../code/codebase.ts";
import { type CodeNode, is, type Kind, nodeAt, nodesBetween, part } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { ranIn } from "./closures.ts";

const nodesMax = 2_000;

/** What fails as one operation with its operands. */
const operations: ReadonlySet<Kind> = new Set(["binary", "call", "index", "member", "unary"]);

/** Returns the nodes that overlap the line of a frame, without the operations that the runtime shows did not fail. */
export function nodesAtFrame(program: Program, located: LocatedFrame): CodeNode[] {
  const { place, frame } = located;
  if (!place) return [];
  const { start, end } = place.source.lines(place.line, place.line);
  const nodes = ranIn(frame, nodesBetween(program.tree, start, end, nodesMax));
  if (frame.marked && isPrintedAlone(place.source))
    return markedOf(nodes, start + frame.marked.start, start + frame.marked.end);
  const failed = operationAt(program, located);
  return failed ? withoutOthers(nodes, failed) : nodes;
}

/** Marks that cover no operation as a whole only show where it begins. */
function withoutOthers(nodes: readonly CodeNode[], { start, end }: Span): CodeNode[] {
  const begun = nodes.filter((node) => node.start === start);
  const isWhole = begun.some((node) => node.end === end);
  const isLeft = (node: CodeNode): boolean => node.start >= start && (!isWhole || node.end <= end);
  return nodes.filter((node) => begun.length === 0 || !operations.has(node.kind) || isLeft(node));
}

/** Returns where the operation that failed is: as the runtime marks it, or from its column on. */
function operationAt(program: Program, located: LocatedFrame): Span | null {
  const { place, frame } = located;
  if (!place || !program.dialect.columnsBeginOperations) return null;
  const line = place.source.lines(place.line, place.line);
  const text = place.source.text.slice(line.start, line.end);
  if (frame.marked && text.trim() === frame.code) {
    const code = line.start + text.indexOf(frame.code);
    return { start: code + frame.marked.start, end: code + frame.marked.end };
  }
  const start = positionOf(located);
  return start === null ? null : { start, end: start };
}

/**
 * The marks cover one operation with its operands, so a smaller one of its kind didn't fail: `a[b]` in `a[b][c]`. Of a
 * value that couldn't be unpacked, they cover the targets: in a loop, the value is an element that no code names.
 */
function markedOf(nodes: readonly CodeNode[], start: number, end: number): CodeNode[] {
  const isCovered = (node: CodeNode | null): boolean => node?.start === start && node.end === end;
  const unpacked = nodes.find((node) => isCovered(part(node, "target")));
  if (unpacked) return unpacked.kind === "loop" ? [] : [...nodes];
  const within = nodes.filter((node) => node.start >= start && node.end <= end);
  const covered = within.filter(isCovered);
  return within.filter((node) => covered.includes(node) || covered.every(({ kind }) => kind !== node.kind));
}

/** Returns whether a text is only the line that a stack prints. */
export function isPrintedAlone({ kind, firstLine, lastLine }: SourceText): boolean {
  return kind === "stack_frame" && firstLine === lastLine;
}

/** Returns the innermost node at the first code of a line. */
export function nodeOnLine({ tree }: Program, { source, line }: CodePlace): CodeNode {
  const { start, end } = source.lines(line, line);
  const indent = /^\s*/.exec(source.text.slice(start, end))?.[0].length ?? 0;
  return nodeAt(tree, start + indent);
}

/** Returns the position in the text that a frame names; null when it has no column. */
export function positionOf({ place, frame }: LocatedFrame): number | null {
  if (!place || frame.column === null) return null;
  return place.source.lines(place.line, place.line).start + frame.column - 1;
}

/**
 * Returns the call that put a frame on the stack: the one at its column, else the one with its name, else the outermost
 * one on its line.
 */
export function callAtFrame(
  codebase: Codebase,
  frame: LocatedFrame,
  name: string | null,
): { program: Program; call: CodeNode } | null {
  const program = frame.place && codebase.of(frame.place.source);
  if (!program || !frame.place) return null;
  const { start, end } = frame.place.source.lines(frame.place.line, frame.place.line);
  const isOnLine = (at: number): boolean => at >= start && at <= end;
  const calls = nodesAtFrame(program, frame).filter(
    (node) => node.kind === "call" && (isOnLine(node.at) || isOnLine(node.start)),
  );
  const position = positionOf(frame);
  const exact =
    position === null
      ? undefined
      : calls.findLast((node) => node.at === position || (is(node, "new") && node.start === position));
  const inside = position === null ? [] : calls.filter((node) => node.start <= position && position < node.end);
  const named =
    name === null ? undefined : (inside.find((node) => node.name === name) ?? calls.find((node) => node.name === name));
  const call = exact ?? named ?? inside.at(-1) ?? calls[0];
  return call ? { program, call } : null;
}

/** Returns whether a frame is at one of the lines of a node. */
export function isOnStack({ source }: Program, node: CodeNode, frames: readonly LocatedFrame[]): boolean {
  const [from, to] = [source.lineAt(node.start), source.lineAt(node.end)];
  return frames.some(({ place }) => place?.source === source && place.line >= from && place.line <= to);
}
