import type { SourceFile, SourceFiles } from "@whence/engine";
import { releaseNames, utf8Length } from "@whence/protocol";
import type { Scoped, SourceRepository, SourceScope, StoredSources } from "@whence/storage";
import { isThirdParty } from "./folder.ts";
import { mapWithId } from "./map-with-id.ts";
import { isReadable } from "./readable-path.ts";
import { searchFiles } from "./search-files.ts";
import type { SourceProvider } from "./source-provider.ts";

/** Provides the sources that organizations uploaded with `whence sources upload`. */
export function uploadedSources(control: Scoped<SourceScope>): SourceProvider {
  return {
    async open({ scopeId, service, release }) {
      const { sources } = control.scope(scopeId);
      for (const name of releaseNames(release)) {
        const stored = await sources.files(service, name);
        if (stored) return new UploadedSources(sources, name, stored);
      }
      return null;
    },
  };
}

class UploadedSources implements SourceFiles {
  readonly #sources: Pick<SourceRepository, "content">;
  readonly #release: string;
  readonly #sha256s: ReadonlyMap<string, string>;

  constructor(sources: Pick<SourceRepository, "content">, release: string, { files }: StoredSources) {
    this.#sources = sources;
    this.#release = release;
    this.#sha256s = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  }

  async paths(): Promise<readonly string[]> {
    return [...this.#sha256s.keys()].filter((path) => isReadable(path) && !isThirdParty(path));
  }

  async read(path: string, bytesMax: number): Promise<SourceFile> {
    const sha256 = isReadable(path) ? this.#sha256s.get(path) : undefined;
    const text = sha256 === undefined ? null : await this.#sources.content(sha256);
    if (text === null) return { outcome: "absent" };
    if (utf8Length(text) > bytesMax) return { outcome: "too-large" };
    return text.includes("\0")
      ? { outcome: "not-text" }
      : { outcome: "read", text, version: `uploaded for ${this.#release}` };
  }

  search(words: readonly string[]): Promise<readonly string[]> {
    return searchFiles(this, words);
  }

  mapWithId(debugId: string, path: string): Promise<string | null> {
    return mapWithId(this, debugId, path);
  }
}
