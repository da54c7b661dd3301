import type { LocatedFrame } from "../../../findings/located-frame.ts";
import type { CodeSignalArgs } from "../../../signals/signal.ts";
import { saidBy } from "../../../words/thrown.ts";
import type { Codebase } from "../../code/codebase.ts";
import { receiverOf, textOf } from "../../code/expressions.ts";
import { resolve } from "../../code/scopes.ts";
import type { Failure } from "../../failure.ts";
import { placeAt, type Trail } from "../../follow/trail.ts";
import { isOnStack } from "../../frames/stack-calls.ts";
import { type OwnNode, ownNodesOnTrail } from "../own-nodes.ts";
import { tiesToTrail } from "../ties-to-trail.ts";
import { elementPastEnd, isLength } from "./elements-past-end.ts";
import { howComputed, mayBeOutOfRange } from "./how-computed.ts";
import { isElementChecked, uncheckedUse } from "./index-uses.ts";
import { type ShownIndex, shownIndex } from "./shown-index.ts";

type Args = CodeSignalArgs["computed-index"];

/** How many numbers of one error are examined. */
const examinedMax = 400;
/** How many of them are noted. */
const foundMax = 12;

/** An index, and why it may be out of range. */
interface ComputedIndex extends OwnNode {
  readonly how: Args["how"];
}

interface FailedIndex {
  readonly said: string;
  /** The index that it shows, if it shows one. */
  readonly shown: ShownIndex | null;
  readonly frames: readonly LocatedFrame[];
  readonly isTied: (one: OwnNode) => boolean;
}

/** Notes how an index is computed that may be out of range, if the failing value depends on it and nothing checks it. */
export function findComputedIndexes({ codebase, chain }: Failure, trail: Trail): void {
  const said = chain.map(({ exception }) => saidBy(exception)).join("\n");
  const isTiedTo = tiesToTrail(trail);
  const isTied = ({ program, node }: OwnNode): boolean => isTiedTo(program, node);
  const frames = chain.flatMap((one) => one.frames);
  const failure = { said, shown: shownIndex(said), frames, isTied };
  let left = examinedMax;
  let count = 0;
  for (const one of ownNodesOnTrail(codebase, frames, trail)) {
    const how = howComputed(one.program, one.node);
    if (how === null) continue;
    if (left-- <= 0) return;
    const use = useOf(codebase, { ...one, how });
    if (!use || !mayFail(failure, { ...one, how }, use)) continue;
    if (!mayBeOutOfRange(codebase, one.program, one.node, (failure.shown?.index ?? 0) < 0)) continue;
    note(trail, { ...one, how }, use);
    if (++count === foundMax) return;
  }
}

function note(trail: Trail, { program, node, how }: ComputedIndex, use: OwnNode): void {
  const code = textOf(node, program.source);
  // `sizes[…]` rather than the code of the index once more.
  const args = { how, code, use: textOf(use.node, use.program.source).replace(code, "…"), isSliced: isSliced(use) };
  trail.add({ kind: "computed-index", args }, placeAt(program, node), trail.first, 1);
}

function useOf(codebase: Codebase, { program, node, how }: ComputedIndex): OwnNode | null {
  if (how !== "past-end") return uncheckedUse(codebase, program, node);
  const element = elementPastEnd(program, node);
  return element && { program, node: element };
}

/** Returns whether the use of an index can have failed as the error says, because of how it is computed. */
function mayFail({ said, shown, frames, isTied }: FailedIndex, index: ComputedIndex, use: OwnNode): boolean {
  const { how } = index;
  switch (index.program.dialect.outOfRange) {
    case "shown":
      return shown !== null && agrees(how, shown) && isOnStack(use.program, use.node, frames);
    case "thrown": {
      // The end of a slice can be -1, which leaves out the last element.
      const isPossible = how === "not-found" ? isSliced(use) : /out of range/.test(said) && !isSliced(use);
      return isPossible && (isTied(index) || isTied(use));
    }
    case "nothing":
      if (isElementChecked(use.program, use.node)) return false;
      if (how === "rounded" && !isToLength(index) && !isOfList(use)) return false;
      return (how === "not-found" || !isSliced(use)) && (isTied(index) || isTied(use));
  }
}

/** Returns whether an index that was computed like this can be the one that the error shows. */
function agrees(how: Args["how"], { index, length }: ShownIndex): boolean {
  if (how === "not-found" || how === "negative-remainder") return index < 0;
  return length === null ? index > 0 : index === length;
}

/** Returns whether positions are used as the ends of a slice, which may be outside the collection. */
function isSliced({ node }: OwnNode): boolean {
  return (
    /^(?:slice|substring|substr|splice|subList|subSequence)$/.test(node.name ?? "") ||
    node.children.some(({ kind, role }) => kind === "other" && role === "key")
  );
}

/** Returns whether the rounded number is a share of a length. */
function isToLength({ node }: OwnNode): boolean {
  return node.children.some((one) => one.kind === "binary" && one.name === "*" && one.children.some(isLength));
}

/** Returns whether an element is read from a list that the code spells out: its values cover a whole range. */
function isOfList({ program, node }: OwnNode): boolean {
  const on = receiverOf(node);
  const binding = on?.kind === "name" && on.name !== null ? resolve(program, on.name, on) : null;
  return binding?.writes.some(({ value }) => value?.kind === "list") ?? false;
}
