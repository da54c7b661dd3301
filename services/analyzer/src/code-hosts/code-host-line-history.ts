import type { LastChange } from "@whence/engine";
import type { NamedRelease } from "@whence/protocol";
import type { ControlDb } from "@whence/storage";
import { codeHosts, type OutboundContext, orAbsent } from "@whence/vendors";
import type { AskedHistory, LineHistory } from "../changes/line-history.ts";
import { namedRelease } from "../sources/named-release.ts";
import { readRepository } from "./connected-repository.ts";
import { type AskedHost, orNoted } from "./noted-failure.ts";

/** Reads who changed lines last at the organization's connected code hosts. */
export function codeHostLineHistory(control: Pick<ControlDb, "scope">, context: OutboundContext): LineHistory {
  return {
    async lastChanges(asked, signal, failed) {
      const { integrations } = control.scope(asked.scopeId);
      const release = await namedRelease(control, asked, asked.release);
      for (const codeHost of codeHosts) {
        const host = { integrations, codeHost, clock: context.clock, failed };
        const found = await orNoted(host, () => blame(host, { ...asked, release }, context, signal));
        if (found) return found;
      }
      return null;
    },
  };
}

function blame(
  { integrations, codeHost }: AskedHost,
  { service, release, files }: Omit<AskedHistory, "release"> & { readonly release: NamedRelease },
  context: OutboundContext,
  stopped: AbortSignal,
): Promise<readonly LastChange[] | null> {
  return readRepository(integrations, { codeHost, service }, context, stopped, async ({ host, repository }, signal) => {
    const commit = await host.findCommit(repository, release, signal);
    if (commit === null) return null;
    const found = await Promise.all(
      files.map(async ({ path, lines }) => {
        const ranges = await orAbsent(host.blame({ repository, commit, path }, { from: 1, to: lines }, signal));
        return (ranges ?? []).map((range) => ({ ...range, path }));
      }),
    );
    return found.flat();
  });
}
