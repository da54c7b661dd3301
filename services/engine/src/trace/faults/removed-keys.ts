import { isAbsent } from "../../signals/code/bad-value.ts";
import type { CodeSignal } from "../../signals/signal.ts";
import type { Codebase } from "../code/codebase.ts";
import { mayBeKey } from "../code/constant-keys.ts";
import { argumentsOf, keyText, receiverOf, textOf } from "../code/expressions.ts";
import { type CodeNode, isWithin, nodesBetween, part } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { sharedOrigin } from "../code/shared-origin.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";

const nodesOfLineMax = 2_000;
/** If more places remove the key, none of them is more likely than the others. */
const removalsMax = 3;
/** The same for a key that is removed from any object. */
const removalsOfKeyMax = 40;

/** Code that removes a key from an object. */
interface Removal {
  readonly program: Program;
  readonly node: CodeNode;
  readonly on: CodeNode;
}

/**
 * Notes where a key is removed that the failing code doesn't find, if both get the object from the same place that
 * keeps it: what one removes is gone for all.
 */
export function findRemovedKeys({ codebase }: Failure, trail: Trail): void {
  for (const signal of trail.signals()) {
    if (signal.kind !== "bad-value") continue;
    const program = codebase.of(signal.subject.source);
    const key = missingKey(signal);
    const on = program && key !== null ? objectRead(program, signal, key) : null;
    const origin = on && program && sharedOrigin(codebase, program, on);
    if (!key || !origin) continue;
    const ofKey = removalsOf(codebase, key);
    if (ofKey.length > removalsOfKeyMax) continue;
    const removals = ofKey.filter(
      (one) =>
        !(one.program === program && isWithin(on, one.node)) &&
        !isPutBack(one, key) &&
        sharedOrigin(codebase, one.program, one.on) === origin,
    );
    if (removals.length > removalsMax) continue;
    for (const { program: where, node } of removals)
      trail.add({ kind: "removed-key", args: { key, code: textOf(node, where.source) } }, placeAt(where, node), signal);
  }
}

/** Returns the key or field that the failing code doesn't find; null where it lacks something else. */
export function missingKey({ args }: CodeSignal<"bad-value">): string | null {
  if (args.use === "element" && args.member !== null && args.was === args.member) return args.member;
  const { path = [] } = args;
  return isAbsent(args) && path.length > 1 ? (path.at(-1) ?? null) : null;
}

/** Returns the object that the failing line reads the key of. */
function objectRead({ source, tree }: Program, { subject }: CodeSignal<"bad-value">, key: string): CodeNode | null {
  const { start, end } = source.lines(subject.line, subject.line);
  const read = nodesBetween(tree, start, end, nodesOfLineMax).find((node) => {
    if (node.kind === "member") return node.name === key;
    const by = node.kind === "index" ? part(node, "key") : null;
    return by !== null && keyText(by) === key;
  });
  return read ? part(read, "on") : null;
}

/** Returns whether the function that removes a key sets it again afterwards. */
function isPutBack({ program, node: { owner, end } }: Removal, key: string): boolean {
  const written = [...(program.entries.get(key) ?? []), ...(program.fieldWrites.get(key) ?? [])];
  return written.some(({ node }) => node.kind === "assign" && node.owner === owner && node.start >= end);
}

function removalsOf(codebase: Codebase, key: string): Removal[] {
  return codebase.own().flatMap((program) => {
    const popped = (program.calls.get("pop") ?? []).flatMap((node): Removal[] => {
      const [first] = argumentsOf(node);
      const on = receiverOf(node);
      return first && on && mayBeKey(codebase, program, first.value, key) ? [{ program, node, on }] : [];
    });
    const deleted = program.deleted.flatMap((node): Removal[] => {
      const by = node.kind === "index" ? part(node, "key") : null;
      const on = part(node, "on");
      const isIt = by ? mayBeKey(codebase, program, by, key) : node.kind === "member" && node.name === key;
      return on && isIt ? [{ program, node: node.parent ?? node, on }] : [];
    });
    return [...popped, ...deleted];
  });
}
