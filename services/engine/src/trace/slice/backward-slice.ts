import type { LocatedException, LocatedFrame } from "../../findings/located-frame.ts";
import type { SourceText } from "../../source/source-text.ts";
import type { Codebase } from "../code/codebase.ts";
import { type CodeNode, nodesBetween } from "../code/ir.ts";
import { type Program, put } from "../code/program.ts";
import { Dependencies, type DependencyKind } from "./dependencies.ts";

/** A piece of code or of data that a failure depends on. */
export interface SlicePiece {
  readonly source: SourceText;
  /** Its position in the text, in UTF-16 units. */
  readonly start: number;
  /** How strongly the failure depends on it, from 0 to 1. */
  readonly weight: number;
  /** How many dependencies are between them. */
  readonly steps: number;
  /** What its dependents need it for; `frame` for a line on the stack. */
  readonly kind: DependencyKind | "frame";
  /** The name by which it was found: of a file, that of its folder. Null where none, or its own, led to it. */
  readonly name: string | null;
  /** The piece that it was found for; null for a line on the stack. */
  readonly dependent: SlicePiece | null;
  /** Where its dependent needs it, as a position in that text, in UTF-16 units; 0 for a line on the stack. */
  readonly neededAt: number;
  /** Whether nothing was followed from it but conditions. */
  readonly isEnd: boolean;
}

/** What a failure depends on, by file. */
export type BackwardSlice = ReadonlyMap<SourceText, readonly SlicePiece[]>;

const stepsMax = 9;
/** How many pieces of the same distance are followed, the strongest first. */
const piecesOfStepMax = 200;
const weightMin = 0.002;
const framesMax = 8;
/** How much less a call depends on a failure than the one that it makes. */
const frameDecay = 0.6;

interface Followed extends Omit<SlicePiece, "source" | "start" | "isEnd"> {
  readonly program: Program;
  readonly node: CodeNode;
}

/**
 * Returns the backward slice of a failure: everything that the lines on the stack depend on, by data or by the
 * conditions under which they run (Weiser, Program Slicing, 1981). Unlike a trail, which follows a single wrong value,
 * it contains whatever writes to the variables, fields, and collections that are read, told apart by their names.
 * Weights fall with each dependency, and with the number of writers that it may be.
 */
export function backwardSlice(codebase: Codebase, chain: readonly LocatedException[]): BackwardSlice {
  const frames = chain.toReversed().flatMap((one) => one.frames);
  const dependencies = new Dependencies(codebase, chain);
  const slice = new Map<SourceText, SlicePiece[]>();
  const seen = new Set<CodeNode>();
  let pieces = linesOnStack(codebase, frames);
  while (pieces.length > 0) {
    const next: Followed[] = [];
    for (const { program, node, ...rest } of strongest(pieces, seen)) {
      seen.add(node);
      const { weight } = rest;
      const steps = rest.steps + 1;
      const found = steps <= stepsMax ? dependencies.of(program, node) : [];
      if (rest.steps === 0) found.push(...dependencies.ofLine(program, node));
      const isEnd = found.every((one) => one.kind === "condition");
      const dependent: SlicePiece = { ...rest, source: program.source, start: node.start, isEnd };
      put(slice, program.source, dependent);
      for (const one of found) next.push({ ...one, weight: one.weight * weight, steps, dependent });
      const file = { start: 0, steps, kind: "file", dependent, isEnd: true } as const;
      for (const { source, weight: share, folder, neededAt } of dependencies.filesNamed(program, node))
        put(slice, source, { ...file, source, weight: share * weight, name: folder, neededAt });
    }
    pieces = next;
  }
  return slice;
}

/** Returns the pieces that are new and count for something, the strongest first and each once. */
function strongest(pieces: readonly Followed[], seen: ReadonlySet<CodeNode>): Followed[] {
  const sorted = pieces
    .filter(({ node, weight }) => weight >= weightMin && !seen.has(node))
    .toSorted((left, right) => right.weight - left.weight);
  const once = new Map<CodeNode, Followed>();
  for (const piece of sorted) if (!once.has(piece.node)) once.set(piece.node, piece);
  return [...once.values()].slice(0, piecesOfStepMax);
}

function linesOnStack(codebase: Codebase, frames: readonly LocatedFrame[]): Followed[] {
  const own = frames.flatMap(({ place }) => {
    const program = place && codebase.of(place.source);
    return place && program && !program.isInstalled ? [{ program, line: place.line }] : [];
  });
  return own.slice(0, framesMax).flatMap(({ program, line }, rank) => {
    const onStack = { steps: 0, kind: "frame", name: null, dependent: null, neededAt: 0 } as const;
    const weight = frameDecay ** rank;
    return codeOnLine(program, line).map((node) => ({ program, node, weight, ...onStack }));
  });
}

const nodesOfLineMax = 2_000;

/** Returns the code that begins on a line; otherwise the statement that the line is part of. */
function codeOnLine({ source, tree }: Program, line: number): CodeNode[] {
  const { start, end } = source.lines(line, line);
  const nodes = nodesBetween(tree, start, end, nodesOfLineMax);
  const begin = nodes.filter((node) => node.kind !== "module" && node.start >= start && node.start < end);
  const outermost = begin.filter(({ parent }) => parent === null || !begin.includes(parent));
  if (outermost.length > 0) return outermost;
  for (let at = nodes.at(-1); at?.parent; at = at.parent) if (at.parent.kind === "block") return [at];
  return [];
}
