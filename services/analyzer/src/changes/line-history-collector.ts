import {
  type Collector,
  type GatheredFile,
  type InvestigationSubject,
  type LastChange,
  observeData,
} from "@whence/engine";
import { busyDeadlineMs } from "../collectors/shared-reads.ts";
import { changeLimits } from "./change-limits.ts";
import type { AskedFile, LineHistory } from "./line-history.ts";

/**
 * Collects the recent commits that last changed the failing code's lines, for the gathered code, starting with the
 * stack's.
 */
export function lineHistoryCollector(
  { input }: InvestigationSubject,
  { scopeId, lineHistory }: { readonly scopeId: string; readonly lineHistory: LineHistory },
): Collector {
  return {
    name: "line history",
    deadlineMs: busyDeadlineMs,
    async collect({ observedAt }, signal, missed) {
      const code = gatheredFor(input);
      if (!code) return [];
      const { service, release } = code;
      const files = code.files.slice(0, changeLimits.blamedFilesMax).map(askedFile);
      const within = AbortSignal.any([signal, AbortSignal.timeout(changeLimits.readWithinMs)]);
      const found = await lineHistory.lastChanges({ scopeId, service, release, files }, within, (vendor, why) =>
        missed(why, vendor),
      );
      const since = Date.parse(observedAt) - changeLimits.blamedWithinMs;
      const recent = (found ?? []).filter(({ commit }) => Date.parse(commit.at) >= since);
      return recent.map((lastChange) => observe(lastChange));
    },
  };
}

/** Returns the gathered code of the service; null where there is none. */
function gatheredFor(input: InvestigationSubject["input"]) {
  if (input.kind === "process-exit") return null;
  const { service, release } = input.kind === "event" ? input : (input.about ?? { service: null, release: null });
  const files = input.files.flatMap((file) => ("path" in file ? [file] : []));
  return service === null || release === null || files.length === 0 ? null : { service, release, files };
}

function askedFile({ path, content }: GatheredFile): AskedFile {
  return { path, lines: content.replace(/\n$/, "").split("\n").length };
}

function observe(lastChange: LastChange) {
  return observeData({ kind: "telemetry", name: "line history" }, lastChange, {
    observed_at: lastChange.commit.at,
    fact: { kind: "last-change", lastChange },
  });
}
