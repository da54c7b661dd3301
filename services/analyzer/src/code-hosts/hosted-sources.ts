import type { SourceFile, SourceFiles } from "@whence/engine";
import type { CodeHost, FileAt } from "@whence/vendors";
import { isThirdParty } from "../sources/folder.ts";
import { isReadable } from "../sources/readable-path.ts";
import type { PlaceFailed } from "../sources/source-provider.ts";
import { failureText } from "./noted-failure.ts";

interface Opening {
  /** Aborted when the time to list the files is up, and to read them where `readUntil` isn't given. */
  readonly opening: AbortSignal;
  readonly readUntil: AbortSignal | undefined;
  readonly failed: PlaceFailed;
}

/** Returns the files of a repository at a commit. Aborting the signal stops reading. */
export async function hostedSources(
  host: CodeHost,
  at: Omit<FileAt, "path">,
  { opening, readUntil, failed }: Opening,
): Promise<SourceFiles> {
  const paths = await host.paths(at.repository, at.commit.id, opening);
  return new HostedSources(host, at, { paths, signal: readUntil ?? opening, failed });
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
