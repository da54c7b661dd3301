import type { CodeNode, Kind, Role, Trait } from "../code/ir.ts";

/** A piece of code described by its language, with the pieces of its syntax tree that are its parts. */
export interface Description<N> {
  readonly kind: Kind;
  readonly name?: string | null;
  readonly type?: string | null;
  readonly at?: number;
  readonly traits?: readonly Trait[];
  readonly parts?: readonly Part<N>[];
}

export type Part<N> = readonly [role: Role | null, node: N | Made<N>];

/** A piece of code without a node in the syntax tree. */
export interface Made<N> {
  readonly made: Description<N>;
  readonly start: number;
  readonly end: number;
}

/** How to read the syntax tree of a language. */
export interface Syntax<N> {
  readonly describe: (node: N, role: Role | null) => Description<N>;
  readonly start: (node: N) => number;
  readonly end: (node: N) => number;
  readonly depthMax: number;
}

interface Growing extends CodeNode {
  readonly children: Growing[];
}

/** More nodes than any file that is read has. */
const nodesMax = 400_000;
const none: readonly Trait[] = [];

/** Lowers a syntax tree; null when it is nested too deeply, or has too many nodes, to be handwritten. */
export function lower<N extends object>(root: N, syntax: Syntax<N>): CodeNode | null {
  const top = grow<N>(syntax, root, null, null, null);
  const pending: [from: Description<N>, node: Growing, depth: number][] = [[top.description, top.node, 0]];
  let count = 1;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [{ parts = [] }, node, depth] = next;
    count += parts.length;
    if (depth > syntax.depthMax || count > nodesMax) return null;
    const owner = node.kind === "function" ? node : node.owner;
    for (const [role, child] of parts) {
      const grown = grow(syntax, child, role, node, owner);
      node.children.push(grown.node);
      if (grown.description.parts) pending.push([grown.description, grown.node, depth + 1]);
    }
  }
  return top.node;
}

function grow<N extends object>(
  { describe, start, end }: Syntax<N>,
  from: N | Made<N>,
  role: Role | null,
  parent: Growing | null,
  owner: CodeNode | null,
): { description: Description<N>; node: Growing } {
  const made = isMade(from);
  const description = made ? from.made : describe(from, role);
  const { kind, name = null, type = null, at, traits = none } = description;
  const from_ = made ? from.start : start(from);
  const node: Growing = {
    kind,
    role,
    start: from_,
    end: made ? from.end : end(from),
    at: at ?? from_,
    name,
    type,
    traits,
    parent,
    owner,
    children: [],
  };
  return { description, node };
}

function isMade<N extends object>(node: N | Made<N>): node is Made<N> {
  return "made" in node;
}
