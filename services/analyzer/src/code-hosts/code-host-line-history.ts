import type { LastChange } from "@whence/engine";
import type { NamedRelease } from "@whence/protocol";
import type { ControlDb } from "@whence/storage";
import { codeHosts, type OutboundContext, orAbsent } from "@whence/vendors";
import type { AskedHistory, LineHistory } from "../changes/line-history.ts";
import { namedRelease } from "../sources/named-release.ts";
import { connectedRepository } from "./connected-repository.ts";
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

async function blame(
  { integrations, codeHost }: AskedHost,
  { service, release, files }: Omit<AskedHistory, "release"> & { readonly release: NamedRelease },
  context: OutboundContext,
  stopped: AbortSignal,
): Promise<readonly LastChange[] | null> {
  // Aborting it closes the host.
  const ended = new AbortController();
  const signal = AbortSignal.any([stopped, ended.signal]);
  try {
    const connected = await connectedRepository(integrations, { codeHost, service }, context, signal);
    if (!connected) return null;
    const { host, repository } = connected;
    const commit = await host.findCommit(repository, release, signal);
    if (commit === null) return null;
    const found = await Promise.all(
      files.map(async ({ path, lines }) => {
        const ranges = await orAbsent(host.blame({ repository, commit, path }, { from: 1, to: lines }, signal));
        return (ranges ?? []).map((range) => ({ ...range, path }));
      }),
    );
    return found.flat();
  } finally {
    ended.abort();
  }
}
