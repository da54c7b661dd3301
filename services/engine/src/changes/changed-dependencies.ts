import type { ReleaseChange } from "../signals/facts/release-change.ts";

/** A third-party package whose version a release changed. */
export interface ChangedDependency {
  readonly name: string;
  /** Null when the dependency was added. */
  readonly from: string | null;
  /** Null when the dependency was removed. */
  readonly to: string | null;
}

interface Versions {
  readonly files: RegExp;
  /** Captures the name, then the version. */
  readonly line: RegExp;
}

/** How dependency manifests write a package and its version on one line. */
const lists: readonly Versions[] = [
  {
    files: /(?:^|\/)package\.json$/,
    line: /^\s*"((?:@[\w.-]+\/)?[\w.-]+)":\s*"((?:[\^~<>=v]|>=)*\d[^"]*|workspace:[^"]*|catalog:[^"]*)"/,
  },
  {
    files: /(?:^|\/)(?:package-lock\.json|yarn\.lock)$/,
    line: /resolved"?:?\s+"https?:\/\/[^/"]+\/((?:@[\w.-]+\/)?[\w.-]+)\/-\/[^"]*?-(\d[\w.+-]*)\.tgz/,
  },
  { files: /(?:^|\/)pnpm-lock\.yaml$/, line: /^ {2}'?((?:@[\w.-]+\/)?[\w.-]+)@(\d[\w.+-]*)'?:/ },
  { files: /(?:^|\/)requirements[\w.-]*\.txt$/, line: /^\s*([\w.-]+)(?:\[[^\]]*\])?\s*[=~<>!]=\s*([\w.*+-]+)/ },
  { files: /(?:^|\/)(?:uv|poetry)\.lock$/, line: /\b([A-Za-z][\w.]*)-(\d[\w.]*)(?:-[\w.-]+\.whl|\.tar\.gz)"/ },
  { files: /(?:^|\/)go\.mod$/, line: /^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/[\w./-]+)\s+(v\d[\w.+-]*)/ },
  { files: /(?:^|\/)Gemfile\.lock$/, line: /^ {4}([\w.-]+) \((\d[\w.-]*)\)/ },
];

/** Returns whether a file is a dependency manifest. */
export function listsDependencies(path: string): boolean {
  return lists.some(({ files }) => files.test(path));
}

/** Returns the dependencies that were added, removed, or changed in version. */
export function changedDependencies<Change extends Pick<ReleaseChange, "hunk" | "path">>(
  changes: readonly Change[],
): (ChangedDependency & { readonly in: Change })[] {
  return [...Map.groupBy(changes, ({ path }) => path).values()].flatMap((ofFile) => {
    const before = ofFile.flatMap((change) => versionsIn(change, change.hunk.removed));
    const after = ofFile.flatMap((change) => versionsIn(change, change.hunk.added));
    const names = new Set([...before, ...after].map(({ name }) => name));
    return [...names].flatMap((name) => {
      const [old, now] = [before.find((one) => one.name === name), after.find((one) => one.name === name)];
      const change = now?.in ?? old?.in;
      if (!change || old?.version === now?.version) return [];
      return [{ name, from: old?.version ?? null, to: now?.version ?? null, in: change }];
    });
  });
}

function versionsIn<Change extends Pick<ReleaseChange, "path">>(change: Change, lines: readonly string[]) {
  const list = lists.find(({ files }) => files.test(change.path));
  return lines.flatMap((line) => {
    const [, name, version] = list?.line.exec(line) ?? [];
    return name === undefined || version === undefined || name === "version" ? [] : [{ name, version, in: change }];
  });
}
