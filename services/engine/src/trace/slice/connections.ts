import type { LocatedException } from "../../findings/located-frame.ts";
import type { Codebase } from "../code/codebase.ts";
import { receiverOf } from "../code/expressions.ts";
import { type CodeNode, walk } from "../code/ir.ts";
import { refusedColumns } from "../follow/named-columns.ts";
import { callAtFrame } from "../frames/stack-calls.ts";

const nodesMax = 40;

/**
 * Returns the connections on which databases refused a row: whichever was used, the row would have been refused, so
 * the failure doesn't depend on where they come from.
 */
export function refusingConnections(codebase: Codebase, chain: readonly LocatedException[]): ReadonlySet<CodeNode> {
  const connections = chain.flatMap(({ exception, frames }) => {
    const innermost = frames.find(({ place }) => place !== null && codebase.of(place.source)?.isInstalled === false);
    const found = innermost && refusedColumns(exception) ? callAtFrame(codebase, innermost, null) : null;
    const on = found && receiverOf(found.call);
    return on ? [...walk(on, nodesMax)] : [];
  });
  return new Set(connections);
}
