import type { CodeLinks, Report } from "@whence/protocol";
import type { IntegrationScope, ReleaseScope, Scoped } from "@whence/storage";
import { codeHosts, codePages, type OutboundContext } from "@whence/vendors";
import { namedRelease } from "../sources/named-release.ts";
import { connectedRepository } from "./connected-repository.ts";
import { failureText } from "./noted-failure.ts";
import { pathRoots } from "./path-roots.ts";

/** A page waits for links no longer than this. */
const linksWithinMs = 5_000;

type Control = Scoped<IntegrationScope & ReleaseScope>;

interface Deployed {
  readonly service: string;
  readonly release: string;
}

/**
 * Returns the pages of the code in a report's causal chain at the connected code host, at the commit of each release.
 * What the host doesn't know, or doesn't answer in time, is left out.
 */
export async function codeLinks(
  { control, scopeId }: { readonly control: Control; readonly scopeId: string },
  report: Report,
  context: OutboundContext,
): Promise<CodeLinks[]> {
  const found = await Promise.all(
    deployedIn(report).map(async (deployed) => {
      const files = filesOf(report, deployed.service);
      for (const codeHost of codeHosts) {
        const links = await linksAt({ control, scopeId, codeHost }, { ...deployed, files }, context).catch((error) => {
          if (failureText(error, codeHost.vendor) === null) throw error;
          return null;
        });
        if (links) return [links];
      }
      return [];
    }),
  );
  return found.flat();
}

async function linksAt(
  at: { readonly control: Control; readonly scopeId: string; readonly codeHost: (typeof codeHosts)[number] },
  { service, release, files }: Deployed & { readonly files: readonly string[] },
  context: OutboundContext,
): Promise<CodeLinks | null> {
  const { control, scopeId, codeHost } = at;
  const signal = AbortSignal.timeout(linksWithinMs);
  const { integrations } = control.scope(scopeId);
  const connected = await connectedRepository(integrations, { codeHost, service }, context, signal);
  if (!connected) return null;
  const { host, repository } = connected;
  const commit = await host.findCommit(repository, await namedRelease(control, { scopeId, service }, release), signal);
  if (commit === null) return null;
  const paths = await host.paths(repository, commit.id, signal);
  const pages = codePages(codeHost, { repository, commit: commit.id }, context);
  return {
    service,
    release,
    vendor: codeHost.vendor,
    commit: commit.id,
    file_url: pages.file,
    blame_url: pages.blame,
    commit_url: pages.commit,
    roots: pathRoots(files, paths),
  };
}

/** The last release of each service in the chain. */
function deployedIn({ chain }: Report): Deployed[] {
  const releases = chain.flatMap(({ service, release }) =>
    service === undefined || release === undefined ? [] : [[service, release] as const],
  );
  return [...new Map(releases)].map(([service, release]) => ({ service, release }));
}

/** The files of a service in the chain, and in what the chain cites: a change has the path of the repository. */
function filesOf({ chain, evidence }: Report, of: string): string[] {
  const links = chain.filter(({ service }) => service === of);
  const cited = new Set(links.flatMap(({ evidence_ids: ids }) => ids));
  const places = [...links, ...evidence.filter(({ id }) => cited.has(id))];
  const files = places.flatMap(({ location }) => (location ? [location.file] : []));
  return [...new Set(files)];
}
