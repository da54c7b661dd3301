import type { SourceFile, SourceFiles } from "@whence/engine";
import type { NamedRelease } from "@whence/protocol";
import type { ControlDb } from "@whence/storage";
import { type CodeHost, codeHosts, type FileAt, type OutboundContext } from "@whence/vendors";
import { integrationLimits } from "../integrations/integration-limits.ts";
import { isThirdParty } from "../sources/folder.ts";
import { namedRelease } from "../sources/named-release.ts";
import { isReadable } from "../sources/readable-path.ts";
import type { PlaceFailed, SourceProvider } from "../sources/source-provider.ts";
import { connectedRepository } from "./connected-repository.ts";
import { type AskedHost, failureText, orNoted } from "./noted-failure.ts";

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
  if (commit === null) return null;
  const paths = await host.paths(repository, commit.id, signal);
  return new HostedSources(host, { repository, commit }, { paths, signal, failed });
}

interface Reading {
  readonly paths: readonly string[];
  readonly signal: AbortSignal;
  readonly failed: PlaceFailed;
}

class HostedSources implements SourceFiles {
  readonly #host: CodeHost;
  readonly #at: Omit<FileAt, "path">;
  readonly #paths: ReadonlySet<string>;
  readonly #signal: AbortSignal;
  readonly #failed: PlaceFailed;

  constructor(host: CodeHost, at: Omit<FileAt, "path">, { paths, signal, failed }: Reading) {
    this.#host = host;
    this.#at = at;
    this.#paths = new Set(paths.filter((path) => isReadable(path) && !isThirdParty(path)));
    this.#signal = signal;
    this.#failed = failed;
  }

  async paths(): Promise<readonly string[]> {
    return [...this.#paths];
  }

  /** Also absent once the host fails or the time is up, which is reported: the report uses what was read until then. */
  async read(path: string, bytesMax: number): Promise<SourceFile> {
    if (!this.#paths.has(path)) return { outcome: "absent" };
    try {
      this.#signal.throwIfAborted();
      return await this.#host.read({ ...this.#at, path }, bytesMax, this.#signal);
    } catch (error) {
      const why = failureText(error, this.#host.vendor);
      if (why === null) throw error;
      this.#failed(this.#host.vendor, why);
      return { outcome: "absent" };
    }
  }
}
