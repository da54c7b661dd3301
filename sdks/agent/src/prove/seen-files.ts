import type { WatchedRun } from "@whence/protocol";

const installed = /(?:^|\/)(?:node_modules|site-packages)\//;

/**
 * Returns the files of a run in which something was seen, the latest first, then those that a failing test ran. What an
 * installed package threw explains nothing where it isn't the failure, whose messages begin as `failures` say.
 */
export function seenFiles({ hits, ran }: Pick<WatchedRun, "hits" | "ran">, failures: readonly string[]): string[] {
  const isFailure = (error: string): boolean => failures.some((message) => error.includes(message));
  const telling = hits.filter(
    ({ kind, file, error = "" }) => kind !== "threw" || !installed.test(file) || isFailure(error),
  );
  const seen = telling.reverse().flatMap(({ file, callers }) => [file, ...callers.slice(0, 1).map((one) => one.file)]);
  return [...new Set([...seen, ...(ran?.functions ?? []).map(({ file }) => file)])];
}
