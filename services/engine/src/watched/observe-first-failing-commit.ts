import { createHash } from "node:crypto";
import { type FirstFailingCommit, filesOfDiff, linesChangedBy, pathInDiff } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import type { Fact } from "../signals/fact.ts";
import type { Traced } from "../trace/traced.ts";

const excerptUnitsMax = 4_000;

/** Returns the evidence about the first commit with which the command fails. */
export function observeFirstFailingCommit(
  { commit, diff, good }: FirstFailingCommit,
  { files, frames }: Pick<Traced, "files" | "frames">,
): Observation<Fact<"first-failing-commit">> {
  const place = changedIn(diff, [...frames.flatMap((frame) => frame.place?.file ?? []), ...files.map(nameOf)]);
  const { id, author, at, subject } = commit;
  // As `git show` prints it.
  const excerpt = `commit ${id}\nAuthor: ${author}\nDate: ${at}\n\n    ${subject}\n\n${diff}`;
  return {
    source: { kind: "observed", name: "first failing commit" },
    observed_at: commit.at,
    fact: { kind: "first-failing-commit", since: { commit, good, place } },
    location: place && { ...place, function: null },
    excerpt: excerpt.slice(0, excerptUnitsMax).toWellFormed(),
    range: null,
    sha256: createHash("sha256").update(excerpt, "utf8").digest("hex"),
  };
}

function nameOf({ source }: Traced["files"][number]): string {
  return source.name;
}

/** Returns the first changed line of the first of these files that a diff changes. */
function changedIn(diff: string, names: readonly string[]): { file: string; line: number } | null {
  const parts = partsOf(diff);
  for (const file of names) {
    const name = pathInDiff(file);
    const changed = parts.find(
      ({ path }) => name !== null && (name === path || name.endsWith(`/${path}`) || path.endsWith(`/${name}`)),
    );
    const [line] = changed ? linesChangedBy(changed.part) : [];
    if (line !== undefined) return { file, line: Math.max(1, line) };
  }
  return null;
}

/** What a client sends as a diff may be none, or cut. */
function partsOf(diff: string): ReturnType<typeof filesOfDiff> {
  try {
    return filesOfDiff(diff);
  } catch {
    return [];
  }
}
