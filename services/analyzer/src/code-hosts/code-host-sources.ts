import type { SourceFiles } from "@whence/engine";
import type { NamedRelease } from "@whence/protocol";
import type { ControlDb } from "@whence/storage";
import { codeHosts, type OutboundContext } from "@whence/vendors";
import { integrationLimits } from "../integrations/integration-limits.ts";
import { namedRelease } from "../sources/named-release.ts";
import type { IssueSources, SourceProvider, WantedRepository, WantedSources } from "../sources/source-provider.ts";
import { connectedHost, connectedRepository } from "./connected-repository.ts";
import { hostedSources } from "./hosted-sources.ts";
import { type AskedHost, orNoted } from "./noted-failure.ts";

/**
 * Reads the code at the commit of a release from the organization's connected code hosts. It is opened within
 * `withinMs`, and read within the same time where the caller doesn't ask for another.
 */
export function codeHostSources(
  control: Pick<ControlDb, "scope">,
  context: OutboundContext,
  withinMs: number = integrationLimits.codeReadWithinMs,
): SourceProvider {
  return {
    async open(wanted, failed) {
      const { integrations } = control.scope(wanted.scopeId);
      const release = await namedRelease(control, wanted, wanted.release);
      for (const codeHost of codeHosts) {
        const host = { integrations, codeHost, clock: context.clock, failed };
        const sources = await orNoted(host, () => openRelease(host, { ...wanted, release, withinMs }, context));
        if (sources) return sources;
      }
      return null;
    },
  };
}

/** Reads the repository that an issue is in, as it was when the failure began, from the connected code host. */
export function issueSources(control: Pick<ControlDb, "scope">, context: OutboundContext): IssueSources {
  return {
    async open({ scopeId, page, at, readUntil }, failed) {
      const { integrations } = control.scope(scopeId);
      for (const codeHost of codeHosts) {
        const repository = codeHost.repositoryOfIssue(page, context);
        if (repository === null) continue;
        const host = { integrations, codeHost, clock: context.clock, failed };
        return orNoted(host, () => openIssue(host, { repository, at, readUntil }, context));
      }
      return null;
    },
  };
}

interface WantedCommit extends Pick<WantedSources, "service" | "readUntil"> {
  readonly release: NamedRelease;
  readonly withinMs: number;
}

async function openRelease(
  { integrations, codeHost, failed }: AskedHost,
  { service, release, readUntil, withinMs }: WantedCommit,
  context: OutboundContext,
): Promise<SourceFiles | null> {
  const signal = AbortSignal.timeout(withinMs);
  const connected = await connectedRepository(integrations, { codeHost, service }, context, signal, readUntil);
  if (!connected) return null;
  const { host, repository } = connected;
  const commit = await host.findCommit(repository, release, signal);
  return commit && hostedSources(host, { repository, commit }, { opening: signal, readUntil, failed });
}

async function openIssue(
  { integrations, codeHost, failed }: AskedHost,
  { repository, at, readUntil }: Omit<WantedRepository, "scopeId" | "page"> & { readonly repository: string },
  context: OutboundContext,
): Promise<SourceFiles | null> {
  const signal = AbortSignal.timeout(integrationLimits.codeReadWithinMs);
  const connected = await connectedHost(integrations, codeHost, context, signal, readUntil);
  if (!connected) return null;
  const { host } = connected;
  const commit = await host.commitAt(repository, at, signal);
  return commit && hostedSources(host, { repository, commit }, { opening: signal, readUntil, failed });
}
