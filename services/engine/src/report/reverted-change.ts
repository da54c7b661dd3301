import { isSameFile } from "../changes/same-file.ts";
import type { KnownCode } from "../findings/findings.ts";
import type { Hunk } from "../signals/facts/release-change.ts";
import { newlineOf } from "../source/newline-of.ts";
import type { SourceText } from "../source/source-text.ts";
import type { Edit } from "../trace/repair/repair.ts";
import type { Link, LinkOf } from "./link.ts";

/** Changed lines of a release, undone in the source of that release. */
export interface RevertedChange {
  readonly edit: Edit;
  /** The release that changed them. */
  readonly release: string;
  readonly link: LinkOf<"deploy">;
}

/** Effects of a change that lead to the failure, rather than only being near it. */
const leading: ReadonlySet<string> = new Set(["name", "setting", "line"]);

/**
 * Returns the change that a causal chain begins with, undone: where a comparison of releases supports it, the change
 * itself leads to the failure, and the given source has exactly the changed lines.
 */
export function revertedChange(chain: readonly Link[], { files }: Pick<KnownCode, "files">): RevertedChange | null {
  const link = chain.find((one) => one.kind === "deploy");
  const change = link?.args.change;
  if (!link || !change || !link.args.deploy.own || link.args.deploy.verdict !== "suspect") return null;
  const { effect } = change;
  // What a migration did to a database isn't undone by its text.
  if (!leading.has(effect.kind) || (effect.kind === "name" && effect.isOfDatabase)) return null;
  const fact = link.evidence.map((one) => one.fact).find((one) => one.kind === "release-change");
  if (!fact) return null;
  const { path, hunk, release } = fact.change;
  const source = files.find(({ kind, name }) => kind === "source_file" && isSameFile(name, path));
  const edit = source ? undone(source, hunk) : null;
  return edit && { edit, release, link };
}

/** Returns the edit that puts the old lines back; null where the new ones aren't there, or there are none to find. */
function undone(source: SourceText, { removed, added, to }: Hunk): Edit | null {
  const isThere = added.length > 0 && added.every((line, index) => source.line(to + index) === line);
  if (!isThere) return null;
  const newline = newlineOf(source);
  const { start, end } = source.lines(to, to + added.length - 1);
  if (removed.length > 0) return { source, start, end, text: removed.join(newline) };
  const next = source.lines(to + added.length, to + added.length).start;
  return { source, start, end: Math.max(next, end), text: "" };
}
