import { z } from "zod";
import type { BlamedLines, CommitComparison, FileAt } from "../code-hosts/code-host.ts";
import type { VendorHttp } from "../http/vendor-http.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import { pathOfProject } from "./api.ts";

/** https://docs.gitlab.com/api/repositories/#compare-branches-tags-or-commits */
const comparisonSchema = z.object({
  commits: z.array(z.object({ id: z.string(), title: z.string(), author_name: z.string(), created_at: z.string() })),
  diffs: z.array(z.object({ old_path: z.string(), new_path: z.string(), diff: z.string() })),
});

/** https://docs.gitlab.com/api/repository_files/#retrieve-file-blame-history-from-a-repository */
const blameSchema = z.array(
  z.object({
    commit: z.object({ id: z.string(), message: z.string(), author_name: z.string(), committed_date: z.string() }),
    lines: z.array(z.unknown()),
  }),
);

/** Returns the commits and changes from one commit or tag to another. */
export async function compareGitLab(
  http: VendorHttp,
  repository: string,
  { from, to }: { readonly from: string; readonly to: string },
  signal: AbortSignal,
): Promise<CommitComparison> {
  const path = `${pathOfProject(repository)}/repository/compare`;
  const { commits, diffs } = (
    await http.json(
      { path, query: { from, to }, bytesMax: vendorLimits.listBytesMax, schema: comparisonSchema },
      signal,
    )
  ).body;
  return {
    commits: commits
      .slice(-vendorLimits.comparedCommitsMax)
      .map(({ id, title, author_name: author, created_at: at }) => ({ id, author, subject: title, at })),
    files: diffs
      .slice(0, vendorLimits.comparedFilesMax)
      .map(({ new_path: changed, diff }) => ({ path: changed, patch: diff === "" ? null : diff })),
  };
}

/** Returns who last wrote the lines of a file. */
export async function blameGitLab(
  http: VendorHttp,
  { repository, commit, path }: FileAt,
  lines: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<readonly BlamedLines[]> {
  const file = `${pathOfProject(repository)}/repository/files/${encodeURIComponent(path)}/blame`;
  const query = { ref: commit.id, "range[start]": lines.from, "range[end]": lines.to };
  const { body } = await http.json(
    { path: file, query, bytesMax: vendorLimits.listBytesMax, schema: blameSchema },
    signal,
  );
  let next = lines.from;
  return body.map(({ commit: { id, message, author_name: author, committed_date: at }, lines: { length } }) => {
    const from = next;
    next += length;
    return { from, to: next - 1, commit: { id, author, subject: message.split("\n", 1)[0] ?? "", at } };
  });
}
