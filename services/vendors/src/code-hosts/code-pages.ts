import type { CodeHostVendor } from "./code-host.ts";

/** The beginnings of a repository's pages for people: the path of a file follows, or the ID of a commit. */
export interface CodePages {
  readonly file: string;
  readonly blame: string;
  readonly commit: string;
}

/** Returns the pages of a repository at a commit. */
export function codePages(
  { kind, webUrl }: Pick<CodeHostVendor, "kind" | "webUrl">,
  { repository, commit }: { readonly repository: string; readonly commit: string },
  context: Parameters<CodeHostVendor["webUrl"]>[0],
): CodePages {
  // https://docs.gitlab.com/user/project/repository/files/ puts `/-/` before what isn't a path of its own.
  const root = `${webUrl(context)}/${repository}${kind === "gitlab" ? "/-" : ""}`;
  return { file: `${root}/blob/${commit}/`, blame: `${root}/blame/${commit}/`, commit: `${root}/commit/` };
}
