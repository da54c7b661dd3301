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
  /** Captures the name, then the version; with `name`, only the version. */
  readonly line: RegExp;
  /** Captures the name where it stands on a line of its own, above the version. */
  readonly name?: RegExp;
  /** Whether it lists the versions that are installed, rather than those allowed. */
  readonly isLock?: boolean;
}

/** How dependency manifests and lock files write a package and its version. */
const lists: readonly Versions[] = [
  {
    files: /(?:^|\/)(?:package|composer)\.json$/,
    line: /^\s*"((?:@?[\w.-]+\/)?[\w.-]+)":\s*"((?:[\^~<>=v]|>=)*\d[^"]*|workspace:[^"]*|catalog:[^"]*)"/,
  },
  {
    files: /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock)$/,
    line: /(?:resolved"?:?\s+"https?:\/\/[^/"]+\/(?:[^"]*?\/)??|resolution:\s*")((?:@[\w.-]+\/)?[\w.-]+)(?:\/-\/[^"]*?-|@npm:)(\d[\w.+-]*?)(?:\.tgz|")/,
    isLock: true,
  },
  {
    files: /(?:^|\/)pnpm-lock\.yaml$/,
    line: /^ {2}'?\/?((?:@[\w.-]+\/)?[\w.-]+)@(\d[\w.+-]*)(?:\([^']*\))?'?:/,
    isLock: true,
  },
  { files: /(?:^|\/)bun\.lock$/, line: /^\s*"[^"]+":\s*\["((?:@[\w.-]+\/)?[\w.-]+)@(\d[\w.+-]*)"/, isLock: true },
  {
    files: /(?:^|\/)(?:requirements|constraints)[\w.-]*\.txt$/,
    line: /^\s*([\w.-]+)(?:\[[^\]]*\])?\s*[=~<>!]=\s*([\w.*+-]+)/,
  },
  {
    files: /(?:^|\/)(?:pyproject\.toml|Pipfile|Cargo\.toml)$/,
    line: /^\s*"?([A-Za-z][\w.-]*)(?:\[[^\]]*\])?"?\s*(?:[=~<>!]=|=\s*"|=\s*\{[^}]*version\s*=\s*")\s*((?:[\^~<>=!]=?)?\s*\d[^"]*)"/,
  },
  {
    files: /(?:^|\/)(?:uv|poetry)\.lock$/,
    line: /\b([A-Za-z][\w.]*)-(\d[\w.]*)(?:-[\w.-]+\.whl|\.tar\.gz)"/,
    isLock: true,
  },
  { files: /(?:^|\/)Pipfile\.lock$/, name: /^\s*"([\w.-]+)": \{/, line: /^\s*"version": "==([^"]+)"/, isLock: true },
  { files: /(?:^|\/)go\.mod$/, line: /^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/[\w./-]+)\s+(v\d[\w.+-]*)/ },
  { files: /(?:^|\/)Gemfile$/, line: /^\s*gem\s*\(?["']([\w.-]+)["'],\s*["']([^"']*\d[^"']*)["']/ },
  { files: /(?:^|\/)Gemfile\.lock$/, line: /^ {4}([\w.-]+) \((\d[\w.-]*)\)/, isLock: true },
  { files: /(?:^|\/)Cargo\.lock$/, name: /^name = "([^"]+)"/, line: /^version = "([^"]+)"/, isLock: true },
  { files: /(?:^|\/)composer\.lock$/, name: /^\s*"name": "([^"]+)"/, line: /^\s*"version": "([^"]+)"/, isLock: true },
  {
    files: /(?:^|\/)pom\.xml$/,
    name: /<artifactId>\s*([\w.-]+)\s*<\/artifactId>/,
    line: /<version>\s*([\w.-]+)\s*<\/version>/,
  },
  { files: /(?:^|\/)build\.gradle(?:\.kts)?$/, line: /["']([\w.-]+:[\w.-]+):(\d[\w.+-]*)["']/ },
  { files: /(?:^|\/)gradle\.lockfile$/, line: /^([\w.-]+:[\w.-]+):([\w.+-]+)=/, isLock: true },
  { files: /\.(?:cs|fs)proj$/, line: /<PackageReference\s+Include="([\w.-]+)"\s+Version="([^"]+)"/ },
  { files: /(?:^|\/)mix\.exs$/, line: /\{:(\w+),\s*"([^"]*\d[^"]*)"/ },
];

/**
 * Returns the dependencies that were added, removed, or changed in version: by the lock file where there is one, and
 * otherwise by the manifest.
 */
export function changedDependencies<Change extends Pick<ReleaseChange, "hunk" | "path">>(
  changes: readonly Change[],
): (ChangedDependency & { readonly in: Change })[] {
  const found = [...Map.groupBy(changes, ({ path }) => path)].flatMap(([path, ofFile]) => {
    const list = lists.find(({ files }) => files.test(path));
    return list ? changedIn(ofFile, list).map((dependency) => ({ dependency, list })) : [];
  });
  const byName = Map.groupBy(found, ({ dependency }) => dependency.name.toLowerCase());
  return [...byName.values()].flatMap((of) => (of.find(({ list }) => list.isLock) ?? of[0])?.dependency ?? []);
}

function changedIn<Change extends Pick<ReleaseChange, "hunk">>(changes: readonly Change[], list: Versions) {
  const before = changes.flatMap((change) => versionsIn(change, change.hunk.removed, list));
  const after = changes.flatMap((change) => versionsIn(change, change.hunk.added, list));
  const names = new Set([...before, ...after].map(({ name }) => name));
  return [...names].flatMap((name) => {
    const [old, now] = [before.find((one) => one.name === name), after.find((one) => one.name === name)];
    const change = now?.in ?? old?.in;
    if (!change || old?.version === now?.version) return [];
    return [{ name, from: old?.version ?? null, to: now?.version ?? null, in: change }];
  });
}

function versionsIn<Change>(change: Change, lines: readonly string[], { line: pattern, name: heading }: Versions) {
  let above: string | undefined;
  return lines.flatMap((line) => {
    above = heading?.exec(line)?.[1] ?? above;
    const found = pattern.exec(line);
    const [name, version] = heading ? [above, found?.[1]] : [found?.[1], found?.[2]];
    return name === undefined || version === undefined || name === "version" ? [] : [{ name, version, in: change }];
  });
}
