import type { ChangedFiles } from "@whence/protocol";
import type { FilesBetween, StoredIncident } from "@whence/storage";
import type { Logger } from "../logger.ts";
import { changeLimits } from "./change-limits.ts";
import type { ChangeProvider, ReleaseChanges } from "./release-changes.ts";

/**
 * The files that changed between the releases of a report that is being renewed; null where there is nothing to
 * compare, or it can't be read in time.
 */
export async function changedFiles(
  { changes, logger }: ReadingContext,
  { scopeId, incident: { id, service, lifecycle } }: RenewedIncident,
  stopping: AbortSignal,
): Promise<FilesBetween | null> {
  const { release: to = null, release_before: from = null, same_cause: compared = null } = lifecycle.renewal ?? {};
  if (!changes || service === null || to === null || from === null || from === to || compared !== null) return null;
  const failed = (vendor: string, why: string) => logger.info({ incident: id, vendor, why }, "changes aren't known");
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(changeLimits.readWithinMs)]);
  try {
    const found = await changes.between({ scopeId, service, from, to }, signal, failed);
    const files = found && filesOf(found);
    return files && { from, to, files };
  } catch (error) {
    stopping.throwIfAborted();
    logger.warn({ err: error, incident: id }, "the changed files of a renewed report can't be read");
    return null;
  }
}

interface ReadingContext {
  /** Absent where no changes are known. */
  readonly changes?: ChangeProvider;
  readonly logger: Logger;
}

function filesOf({ files, filesChanged, committedPaths = [] }: ReleaseChanges): ChangedFiles | null {
  if (filesChanged === null && files.length === 0) {
    return committedPaths.length === 0 ? null : { named: [...committedPaths], more: 0 };
  }
  const named = files.map(({ path }) => path);
  return { named, more: Math.max(0, (filesChanged ?? 0) - named.length) };
}

interface RenewedIncident {
  readonly scopeId: string;
  readonly incident: Pick<StoredIncident, "id" | "service" | "lifecycle">;
}
