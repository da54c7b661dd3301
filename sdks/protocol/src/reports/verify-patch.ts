import { type FileDiff, filesOfDiff, type Patch, patchedPath, withDiff } from "./patch.ts";
import { isSameFile, type VerifiableSource } from "./verifiable-source.ts";
import type { BrokenCitation } from "./verify.ts";

/**
 * The result of applying a patch to the sources. `applies`: to each of its files. `other version`: at least one of its
 * files is given with another digest. `not given`: at least one of its files is not among the sources.
 */
export type PatchState = "applies" | "other version" | "not given";

/** Applies a patch to the sources in memory, without fuzz, and returns what fails. */
export function checkPatch(
  patch: Patch,
  sources: readonly VerifiableSource[],
): { readonly state: PatchState; readonly problems: readonly BrokenCitation[] } {
  const parts = partsOf(patch);
  const checked = patch.files.map((changed): PatchState | BrokenCitation => {
    const { file, sha256 } = changed;
    const part = parts.find(({ path }) => path === patchedPath(changed));
    const exact = sources.find((one) => one.sha256 === sha256);
    const source = exact ?? sources.find(({ name }) => isSameFile(name, file));
    if (!source || !part) return "not given";
    if (withDiff(source.text, part.part) !== null) return exact ? "applies" : "other version";
    return exact ? { where: "patch", problem: `its diff doesn't apply to ${file}` } : "other version";
  });
  const states = checked.filter((one) => typeof one === "string");
  const worst = (["not given", "other version"] as const).find((state) => states.includes(state));
  return { state: worst ?? "applies", problems: checked.filter((one) => typeof one !== "string") };
}

/** A diff that can't be read is a problem of the report, and has no parts. */
function partsOf({ diff }: Patch): FileDiff[] {
  try {
    return filesOfDiff(diff);
  } catch {
    return [];
  }
}
