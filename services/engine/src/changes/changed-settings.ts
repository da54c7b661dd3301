import type { ReleaseChange } from "../signals/facts/release-change.ts";
import { codeOf } from "./code-lines.ts";

/** An environment variable that a release started or stopped reading. */
export interface ChangedSetting {
  readonly name: string;
  readonly change: "added" | "removed";
  /** In the new release. */
  readonly line: number;
}

const variable = "([A-Za-z_][A-Za-z0-9_]{1,80})";
/** How JavaScript, Deno, Python, Go, Ruby, Java, PHP, C#, and Rust read an environment variable. */
const reads: readonly RegExp[] = [
  new RegExp(`\\benv(?:\\?)?\\.${variable}\\b(?!\\()`, "g"),
  new RegExp(`\\b(?:env|environ|ENV|_ENV)(?:\\?\\.)?\\[\\s*["'\`]${variable}["'\`]`, "g"),
  new RegExp(
    `\\b(?:getenv|Getenv|LookupEnv|lookupEnv|environ\\.get|env\\.get|ENV\\.fetch|env::var|GetEnvironmentVariable|env)\\(\\s*["'\`]${variable}["'\`]`,
    "g",
  ),
];

/** Returns the environment variables that a release started or stopped reading. */
export function changedSettings<Change extends Pick<ReleaseChange, "hunk">>(
  changes: readonly Change[],
): (ChangedSetting & { readonly in: Change })[] {
  const before = new Set(changes.flatMap(({ hunk }) => hunk.removed.flatMap(variablesIn)));
  const after = new Set(changes.flatMap(({ hunk }) => hunk.added.flatMap(variablesIn)));
  return changes.flatMap((change) => {
    const { removed, added, to } = change.hunk;
    return [
      ...added.flatMap((line, index) =>
        variablesIn(line)
          .filter((name) => !before.has(name))
          .map((name) => ({ name, change: "added" as const, line: to + index, in: change })),
      ),
      ...removed
        .flatMap(variablesIn)
        .filter((name) => !after.has(name))
        .map((name) => ({ name, change: "removed" as const, line: Math.max(1, to), in: change })),
    ];
  });
}

function variablesIn(line: string): string[] {
  const code = codeOf(line);
  return reads.flatMap((pattern) => [...code.matchAll(pattern)].flatMap(({ 1: name }) => name ?? []));
}
