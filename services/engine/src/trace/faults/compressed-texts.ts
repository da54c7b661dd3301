import { ownName } from "../code/functions.ts";
import { type CodeNode, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { nodeOnLine } from "../frames/stack-calls.ts";

const nodesMax = 60_000;
/** The first bytes of gzip, 1f 8b, as a text and as parsers print them. */
const gzip = "\u001f\ufffd";
const gzipPrinted = /0x8b in position 1\b|'\\x1f' looking for beginning|CTRL-CHAR, code 31/;
const inflating = /gunzip|inflate|decompress|unzip/i;

/** Returns whether an error shows compressed bytes where a text was expected. */
export function isCompressed(said: string): boolean {
  return said.includes(gzip) || gzipPrinted.test(said);
}

/** Notes where what reads a text is registered or called before what inflates it. */
export function findCompressedTexts({ codebase, said, chain }: Failure, trail: Trail): void {
  if (!isCompressed(said)) return;
  const programs = codebase.own();
  const place = chain.flatMap(({ frames }) => frames.flatMap((one) => one.place ?? []))[0];
  const failing = place && codebase.of(place.source);
  const reader = place && failing ? outermostName(nodeOnLine(failing, place)) : null;
  if (reader === null) return;
  const inflaters = new Set(programs.flatMap(namesOfInflaters));
  inflaters.delete(reader);
  for (const program of programs) {
    const found = usedBefore(program, reader, inflaters);
    if (!found) continue;
    const args = { reads: reader, inflates: found.inflates };
    trail.add({ kind: "compressed-text", args }, placeAt(program, found.node), null);
  }
}

/** Returns the functions that inflate something. */
function namesOfInflaters({ tree }: Program): string[] {
  return [...walk(tree, nodesMax)].flatMap((node) => {
    if (node.kind !== "call" || node.owner === null || !inflating.test(node.name ?? "")) return [];
    return outermostName(node) ?? [];
  });
}

/** Returns the name of the outermost function around a node. */
function outermostName(node: CodeNode): string | null {
  let name: string | null = null;
  for (let at: CodeNode | null = node; at !== null; at = at.parent)
    if (at.kind === "function") name = ownName(at) ?? name;
  return name;
}

interface Used {
  readonly node: CodeNode;
  readonly inflates: string;
}

/** Returns the use of the reader, where its function uses none that inflates before it, and one afterwards. */
function usedBefore(program: Program, reader: string, inflaters: ReadonlySet<string>): Used | null {
  const names = [...walk(program.tree, nodesMax)].filter(
    ({ kind, parent }) => kind === "name" && parent?.kind !== "entry",
  );
  for (const node of names.filter(({ name }) => name === reader)) {
    const beside = names.filter(({ name, owner }) => inflaters.has(name ?? "") && owner === node.owner);
    const [later] = beside;
    if (later?.name && beside.every(({ start }) => start > node.start)) return { node, inflates: later.name };
  }
  return null;
}
