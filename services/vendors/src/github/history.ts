import { z } from "zod";
import type { BlamedLines, CommitComparison, FileAt } from "../code-hosts/code-host.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { GitHubApi } from "./api.ts";

/** https://docs.github.com/en/rest/commits/commits#compare-two-commits */
const comparisonSchema = z.object({
  commits: z.array(
    z.object({
      sha: z.string(),
      commit: z.object({ message: z.string(), author: z.object({ name: z.string(), date: z.string() }).nullable() }),
    }),
  ),
  files: z.array(z.object({ filename: z.string(), patch: z.string().optional() })).default([]),
});

/** https://docs.github.com/en/graphql/reference/objects#blame */
const blameSchema = z.object({
  data: z.object({
    repository: z
      .object({
        object: z
          .object({
            blame: z.object({
              ranges: z.array(
                z.object({
                  startingLine: z.int(),
                  endingLine: z.int(),
                  commit: z.object({
                    oid: z.string(),
                    messageHeadline: z.string(),
                    committedDate: z.string(),
                    author: z.object({ name: z.string().nullable() }).nullable(),
                  }),
                }),
              ),
            }),
          })
          .nullable(),
      })
      .nullable(),
  }),
});

const blameQuery = `query ($owner: String!, $name: String!, $commit: GitObjectID!, $path: String!) {
  repository(owner: $owner, name: $name) {
    object(oid: $commit) {
      ... on Commit {
        blame(path: $path) {
          ranges { startingLine endingLine commit { oid messageHeadline committedDate author { name } } }
        }
      }
    }
  }
}`;

const unknownAuthor = "unknown";

/** Returns the commits and changes from one commit or tag to another. */
export async function compareGitHub(
  api: GitHubApi,
  repository: string,
  { from, to }: { readonly from: string; readonly to: string },
  signal: AbortSignal,
): Promise<CommitComparison> {
  const [owner = "", name = ""] = repository.split("/").map(encodeURIComponent);
  const range = `${encodeURIComponent(from)}...${encodeURIComponent(to)}`;
  const query = { per_page: vendorLimits.comparedCommitsMax };
  const path = `/repos/${owner}/${name}/compare/${range}`;
  const { commits, files } = (
    await api.json({ path, query, bytesMax: vendorLimits.listBytesMax, schema: comparisonSchema }, signal)
  ).body;
  return {
    commits: commits
      .slice(-vendorLimits.comparedCommitsMax)
      .flatMap(({ sha: id, commit: { message, author } }) =>
        author ? [{ id, author: author.name, subject: firstLine(message), at: author.date }] : [],
      ),
    files: files
      .slice(0, vendorLimits.comparedFilesMax)
      .map(({ filename, patch }) => ({ path: filename, patch: patch ?? null })),
  };
}

/** Returns who last wrote the lines of a file. */
export async function blameGitHub(
  api: GitHubApi,
  { repository, commit, path }: FileAt,
  lines: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<readonly BlamedLines[]> {
  const [owner = "", name = ""] = repository.split("/");
  const json = { query: blameQuery, variables: { owner, name, commit: commit.id, path } };
  const { body } = await api.json(
    { method: "POST", path: "/graphql", json, bytesMax: vendorLimits.listBytesMax, schema: blameSchema },
    signal,
  );
  const ranges = body.data.repository?.object?.blame.ranges ?? [];
  return ranges.flatMap(({ startingLine, endingLine, commit: { oid, messageHeadline, committedDate, author } }) => {
    const [from, to] = [Math.max(startingLine, lines.from), Math.min(endingLine, lines.to)];
    const written = { id: oid, author: author?.name ?? unknownAuthor, subject: messageHeadline, at: committedDate };
    return from <= to ? [{ from, to, commit: written }] : [];
  });
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? "";
}
