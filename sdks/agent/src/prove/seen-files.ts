import { type Hit, isTestFile, type WatchedRun } from "@whence/protocol";

const installed = /(?:^|\/)(?:node_modules|site-packages)\//;

/**
 * Returns the files of a run in which something was seen, the latest first, then those that a failing test ran. What an
 * installed package threw explains nothing where it isn't the failure, whose messages begin as `failures` say, or where a
 * test called it, as that of a failed assertion.
 */
export function seenFiles({ hits, ran }: Pick<WatchedRun, "hits" | "ran">, failures: readonly string[]): string[] {
  const isTelling = ({ kind, file, error = "", callers }: Hit): boolean => {
    if (kind !== "threw" || !installed.test(file)) return true;
    const caller = callers.find((one) => !installed.test(one.file));
    return failures.some((message) => error.includes(message)) && !(caller && isTestFile(caller.file));
  };
  const seen = hits
    .filter(isTelling)
    .reverse()
    .flatMap(({ file, callers }) => [file, ...callers.slice(0, 1).map((one) => one.file)]);
  return [...new Set([...seen, ...(ran?.functions ?? []).map(({ file }) => file)])];
}
