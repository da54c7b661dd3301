import { z } from "zod";
import { count, inlineCode, list } from "../../words/prose.ts";
import { nameOf } from "../../words/release-names.ts";
import { commitProblems, commitSchema, comparedReleases, shortId } from "./commit.ts";
import { factKind } from "./fact-kind.ts";

/** Of dependencies, statements of migrations, and files of data, how many are named. */
export const namedPerKindMax = 5;

const changedDependency = z.object({ name: z.string(), from: z.string().nullable(), to: z.string().nullable() });
const schemaChange = z.object({
  path: z.string(),
  name: z.string(),
  table: z.string().nullable(),
  renamedTo: z.string().nullable(),
});

/** The difference between two releases of a service, in figures. */
const releaseComparison = comparedReleases
  .extend({
    /** The last commits, newest first; empty when unknown. */
    commits: z.array(commitSchema).readonly(),
    /** How many files differ, not counting tests; null where only the commits are known. */
    files: z.number().nullable(),
    /** Whether every line that differs was read. */
    isWhole: z.boolean(),
    /** Dependencies whose version differs, with null where it is in one release only; a few. */
    dependencies: z.array(changedDependency.readonly()).readonly(),
    /** Tables and columns that new migrations rename, or drop where there is no new name; a few. */
    schema: z.array(schemaChange.readonly()).readonly(),
    /** Files of data and settings that differ; a few. */
    data: z.array(z.string()).readonly(),
  })
  .readonly();
export type ReleaseComparison = z.output<typeof releaseComparison>;

export const comparison = factKind({
  name: "comparison",
  means: "How much a release changed, and in which commits",
  data: z.object({ comparison: releaseComparison }),
  example: {
    comparison: {
      service: "payments",
      release: "2.0.0",
      previous: "1.9.0",
      releasedAt: "2026-03-01T09:59:34.000Z",
      commits: [
        {
          id: "9c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9d",
          author: "Ada",
          subject: "Rename amount",
          at: "2026-03-01T09:40:00.000Z",
        },
      ],
      files: 3,
      isWhole: true,
      dependencies: [{ name: "undici", from: "6.19.0", to: "7.0.0" }],
      schema: [{ path: "migrations/004.sql", name: "total", table: "orders", renamedTo: "amount" }],
      data: ["config/prices.json"],
    },
  },
  evidence: ({ comparison: one }) => {
    const { previous, files, isWhole, commits } = one;
    const [last] = commits;
    const by = last
      ? `; its last commit is ${shortId(last.id)} by ${inlineCode(last.author)}: ${inlineCode(last.subject)}`
      : "";
    if (files === null) return `${nameOf(one)} was built from other commits than ${inlineCode(previous)}${by}`;
    const amount = `${isWhole ? "" : "at least "}${count(files, "file")}`;
    const named = besideCode(one);
    const among = named.length === 0 ? "" : `, among them ${list(named)}`;
    return `${nameOf(one)} differs from ${inlineCode(previous)} in ${amount}${among}${by}`;
  },
  isComputed: true,
  problems: ({ comparison: { commits, releasedAt } }) => commitProblems(commits, releasedAt),
});

function besideCode({ dependencies, schema, data }: ReleaseComparison): string[] {
  return [
    ...dependencies.map(({ name, from, to }) => `the dependency ${inlineCode(name)} ${versionsText(from, to)}`),
    ...schema.map(({ path, name, table, renamedTo }) => {
      const what = inlineCode(table === null ? name : `${table}.${name}`);
      const done = renamedTo === null ? `drops ${what}` : `renames ${what} to ${inlineCode(renamedTo)}`;
      return `${inlineCode(path)}, which ${done}`;
    }),
    ...data.map((path) => `the data of ${inlineCode(path)}`),
  ];
}

function versionsText(from: string | null, to: string | null): string {
  if (from === null) return `${to} (added)`;
  return to === null ? `${from} (removed)` : `${from} → ${to}`;
}
