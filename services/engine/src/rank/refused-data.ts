import type { Category } from "@whence/protocol";
import type { LocatedFrame } from "../findings/located-frame.ts";
import { isInstalledName } from "../source/installed-package.ts";
import type { Candidate } from "./candidate.ts";

/** What a known failure says of data or of a schema, never of the package that reports it. */
const ofTheProgram: ReadonlySet<Category> = new Set<Category>(["data-validation", "schema-drift"]);

/**
 * Returns whether a package is the first candidate for data that another system refused, such as a row, only because the
 * stack has none of the program's own calls: the program made the data.
 */
export function isRefusedData(first: Candidate | undefined, frames: readonly LocatedFrame[]): boolean {
  if (first?.subject.kind !== "place" || !isInstalledName(first.subject.file)) return false;
  const category = first.signature?.signature.category;
  return category !== undefined && ofTheProgram.has(category) && frames.every(({ frame }) => frame.origin !== "app");
}
