import type { SourceFiles } from "@whence/engine";
import type { NamedRelease } from "@whence/protocol";
import type { ControlDb } from "@whence/storage";
import { codeHosts, type OutboundContext } from "@whence/vendors";
import { integrationLimits } from "../integrations/integration-limits.ts";
import { namedRelease } from "../sources/named-release.ts";
import type { IssueSources, SourceProvider } from "../sources/source-provider.ts";
import { connectedHost, connectedRepository } from "./connected-repository.ts";
import { hostedSources } from "./hosted-sources.ts";
import { type AskedHost, orNoted } from "./noted-failure.ts";

/** Reads the code at the commit of a release from the organization's connected code hosts. */
export function codeHostSources(control: Pick<ControlDb, "scope">, context: OutboundContext): SourceProvider {
  return {
    async open(wanted, failed) {
      const { integrations } = control.scope(wanted.scopeId);
      const release = await namedRelease(control, wanted, wanted.release);
      for (const codeHost of codeHosts) {
        const host = { integrations, codeHost, clock: context.clock, failed };
        const sources = await orNoted(host, () => openAt(host, { service: wanted.service, release }, context));
        if (sources) return sources;
      }
      return null;
    },
  };
}

/** Reads the repository that an issue is in, as it was when the failure began, from the connected code host. */
export function issueSources(control: Pick<ControlDb, "scope">, context: OutboundContext): IssueSources {
  return {
    async open({ scopeId, page, at }, failed) {
      const { integrations } = control.scope(scopeId);
      for (const codeHost of codeHosts) {
        const repository = codeHost.repositoryOfIssue(page, context);
        if (repository === null) continue;
        const host = { integrations, codeHost, clock: context.clock, failed };
        return orNoted(host, () => openThen(host, { repository, at }, context));
      }
      return null;
    },
  };
}

interface WantedCommit {
  readonly service: string;
  readonly release: NamedRelease;
}

async function openAt(
  { integrations, codeHost, failed }: AskedHost,
  { service, release }: WantedCommit,
  context: OutboundContext,
): Promise<SourceFiles | null> {
  const signal = AbortSignal.timeout(integrationLimits.codeReadWithinMs);
  const connected = await connectedRepository(integrations, { codeHost, service }, context, signal);
  if (!connected) return null;
  const { host, repository } = connected;
  const commit = await host.findCommit(repository, release, signal);
  return commit && hostedSources(host, { repository, commit }, signal, failed);
}

async function openThen(
  { integrations, codeHost, failed }: AskedHost,
  { repository, at }: { readonly repository: string; readonly at: string },
  context: OutboundContext,
): Promise<SourceFiles | null> {
  const signal = AbortSignal.timeout(integrationLimits.codeReadWithinMs);
  const connected = await connectedHost(integrations, codeHost, context, signal);
  if (!connected) return null;
  const { host } = connected;
  const commit = await host.commitAt(repository, at, signal);
  return commit && hostedSources(host, { repository, commit }, signal, failed);
}
