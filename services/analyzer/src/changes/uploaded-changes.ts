import { posix } from "node:path";
import { listsDependencies, releaseNames, type SourceFileEntry, utf8Length } from "@whence/protocol";
import type { Scoped, SourceRepository, SourceScope, StoredSources } from "@whence/storage";
import { boundedChanges, byImportance } from "./bounded-changes.ts";
import { changeLimits } from "./change-limits.ts";
import { isCompared } from "./compared-path.ts";
import { hunksBetween } from "./hunks.ts";
import type { ChangedFile, ChangeProvider } from "./release-changes.ts";

/** Compares two releases whose sources were uploaded, without reading files with equal digests. */
export function uploadedChanges(control: Scoped<SourceScope>): ChangeProvider {
  return {
    async between({ scopeId, service, from, to }, signal) {
      const { sources } = control.scope(scopeId);
      const [before, after] = [await stored(sources, service, from), await stored(sources, service, to)];
      if (!before || !after) return null;
      const pairs = differing(before.files, after.files);
      const { files, isWhole } = await compared(pairs, sources, signal);
      return boundedChanges({
        version: `uploaded for ${from} and ${to}`,
        commits: after.commit ? [after.commit] : [],
        files,
        filesChanged: pairs.length,
        isWhole,
        builtFrom: after.commit,
      });
    },
  };
}

async function stored(sources: SourceRepository, service: string, release: string): Promise<StoredSources | null> {
  for (const name of releaseNames(release)) {
    const found = await sources.files(service, name);
    if (found) return found;
  }
  return null;
}

/** One file in both releases; a digest is null where the file doesn't exist. */
interface FilePair {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Returns the files that differ. A moved file doesn't; one that moved and changed is compared with its earlier path.
 */
function differing(before: readonly SourceFileEntry[], after: readonly SourceFileEntry[]): FilePair[] {
  const old = new Map(before.filter(({ path }) => isCompared(path)).map(({ path, sha256 }) => [path, sha256]));
  const now = new Map(after.filter(({ path }) => isCompared(path)).map(({ path, sha256 }) => [path, sha256]));
  const gone = new Map([...old].filter(([path]) => !now.has(path)));
  const pairs: FilePair[] = [];
  for (const [path, sha256] of now) {
    const former = old.get(path);
    if (former === sha256) continue;
    const moved = former === undefined ? movedFrom(path, sha256, gone) : undefined;
    if (moved !== undefined) gone.delete(moved.path);
    if (moved?.sha256 !== sha256) pairs.push({ path, before: former ?? moved?.sha256 ?? null, after: sha256 });
  }
  return [...pairs, ...[...gone].map(([path, sha256]) => ({ path, before: sha256, after: null }))];
}

function movedFrom(path: string, sha256: string, gone: ReadonlyMap<string, string>) {
  const all = [...gone].map(([former, digest]) => ({ path: former, sha256: digest }));
  const sameText = all.find((one) => one.sha256 === sha256);
  const sameName = all.filter((one) => posix.basename(one.path) === posix.basename(path));
  return sameText ?? (sameName.length === 1 ? sameName[0] : undefined);
}

async function compared(
  pairs: readonly FilePair[],
  sources: Pick<SourceRepository, "content">,
  signal: AbortSignal,
): Promise<{ readonly files: readonly ChangedFile[]; readonly isWhole: boolean }> {
  const files: ChangedFile[] = [];
  let read = 0;
  for (const { path, before, after } of byImportance(pairs).slice(0, changeLimits.filesMax)) {
    if (signal.aborted) break;
    const bytesMax = listsDependencies(path) ? changeLimits.dependencyListBytesMax : changeLimits.fileBytesMax;
    const [old, now] = [await textOf(sources, before, bytesMax), await textOf(sources, after, bytesMax)];
    const hunks = old === null || now === null ? null : hunksBetween(path, old, now);
    if (!hunks) continue;
    read++;
    files.push({ path, hunks });
  }
  return { files, isWhole: read === pairs.length };
}

/** Returns an empty text for a file that doesn't exist; null for one that can't be compared. */
async function textOf(
  sources: Pick<SourceRepository, "content">,
  sha256: string | null,
  bytesMax: number,
): Promise<string | null> {
  if (sha256 === null) return "";
  const text = await sources.content(sha256);
  return text === null || utf8Length(text) > bytesMax ? null : text;
}
