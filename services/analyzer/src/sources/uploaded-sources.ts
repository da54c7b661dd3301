import type { SourceFile, SourceFiles } from "@whence/engine";
import { isBesideProgram, releaseNames, utf8Length } from "@whence/protocol";
import type {
  ArtifactScope,
  Scoped,
  SentSourceScope,
  SourceRepository,
  SourceScope,
  StoredSources,
} from "@whence/storage";
import { isThirdParty } from "./folder.ts";
import { mapWithId } from "./map-with-id.ts";
import { isReadable } from "./readable-path.ts";
import { searchWords } from "./search-words.ts";
import type { SourceProvider, WantedSources } from "./source-provider.ts";

/** Provides the sources that organizations uploaded, of the release that has the failing built files before any other. */
export function uploadedSources(control: Scoped<SourceScope & ArtifactScope>): SourceProvider {
  return {
    async open({ scopeId, service, release, debugIds }) {
      const { sources, artifacts } = control.scope(scopeId);
      const built = debugIds?.size ? await artifacts.files(service, [...new Set(debugIds.values())]) : [];
      for (const name of new Set([...built.map((file) => file.release), ...releaseNames(release)])) {
        const stored = await sources.files(service, name);
        if (stored) return new KeptSources(sources, `uploaded for ${name}`, stored);
      }
      return null;
    },
  };
}

/** Files that an investigation lacks. */
export interface LackedFiles extends WantedSources {
  readonly incidentId: string;
  /** As stacks name them; `.` is the program's main file. */
  readonly paths: readonly string[];
}

/** The files that a service's own processes send, once they are asked for them. */
export interface SentSources extends Pick<SourceProvider, "open"> {
  /** Asks the release's processes for files, and has the incident's report refined when they arrive. */
  ask(lacked: LackedFiles): Promise<void>;
  /** Identifies the files that a release's processes have sent by now. */
  mark(wanted: WantedSources): Promise<string>;
}

/** The sources that the client sends from a running program, for a release without any other. */
export function sentSources(control: Scoped<SourceScope & SentSourceScope>, clock: () => number): SentSources {
  const filesOf = (wanted: WantedSources) => control.scope(wanted.scopeId).sentSources.files(wanted);
  return {
    async open(wanted) {
      const stored = await filesOf(wanted);
      const { sources } = control.scope(wanted.scopeId);
      return stored && new KeptSources(sources, `sent by a process of ${wanted.release}`, stored);
    },
    ask: ({ scopeId, ...lacked }) => control.scope(scopeId).sentSources.want({ ...lacked, now: new Date(clock()) }),
    async mark(wanted) {
      return JSON.stringify((await filesOf(wanted))?.files ?? []);
    },
  };
}

/** Files of a release, read from the control database. */
class KeptSources implements SourceFiles {
  readonly #sources: Pick<SourceRepository, "content" | "naming">;
  readonly #version: string;
  readonly #sha256s: ReadonlyMap<string, string>;

  constructor(sources: Pick<SourceRepository, "content" | "naming">, version: string, { files }: StoredSources) {
    this.#sources = sources;
    this.#version = version;
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
    return text.includes("\0") ? { outcome: "not-text" } : { outcome: "read", text, version: this.#version };
  }

  /** Searches the code and data that may have made an error. */
  async search(words: readonly string[]): Promise<readonly string[]> {
    const files = (await this.paths()).filter((path) => !isBesideProgram(path) && !path.endsWith(".map"));
    const entries = files.map((path) => ({ path, sha256: this.#sha256s.get(path) ?? "" }));
    return searchWords(entries, words, this.#sources);
  }

  mapWithId(debugId: string, path: string): Promise<string | null> {
    return mapWithId(this, debugId, path);
  }
}
