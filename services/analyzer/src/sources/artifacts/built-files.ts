import { TraceMap } from "@jridgewell/trace-mapping";
import { releaseNames } from "@whence/protocol";
import type { ArtifactScope, Scoped, SourceScope } from "@whence/storage";
import type { WantedSources } from "../source-provider.ts";
import { artifactLimits } from "./artifact-limits.ts";
import { builtPath, builtPlace, isInstalled, originalPath, pathInPlace } from "./built-paths.ts";

/** A built file whose map is stored. */
export interface MappedFile {
  readonly map: TraceMap;
  /** Below the root of its host. */
  readonly path: string;
  /** Returns the text of an original file; null when it isn't stored. */
  original(path: string): Promise<string | null>;
}

/** The maps of built files. */
export interface BuiltFiles {
  /** Opens the release that failed, and those that debug IDs lead to. */
  open(wanted: WantedSources): Promise<OpenedFiles>;
}

export interface OpenedFiles {
  /** Returns a built file by its name on a stack; null without its map. */
  find(file: string): Promise<MappedFile | null>;
}

/** The maps that organizations uploaded with the built files of their services. */
export function builtFiles(control: Scoped<ArtifactScope & SourceScope>): BuiltFiles {
  return {
    async open({ scopeId, service, release, debugIds = new Map() }) {
      const { sources, artifacts } = control.scope(scopeId);
      const located = debugIds.size === 0 ? [] : await artifacts.files(service, [...new Set(debugIds.values())]);
      const byId = new Map(located.map((file) => [file.debugId, file]));
      const releases = new Releases((name) => sources.files(service, name));
      let mapBytes = 0;
      return {
        async find(file) {
          const known = byId.get(debugIds.get(file) ?? "");
          const found = known ?? (await releases.builtBy(file, releaseNames(release)));
          if (!found) return null;
          const files = await releases.files(found.release);
          const content = async (path: string): Promise<string | null> => {
            const sha256 = files.get(path);
            return sha256 === undefined ? null : sources.content(sha256);
          };
          const text = await content(`${found.path}.map`);
          mapBytes += text?.length ?? 0;
          if (text === null || mapBytes > artifactLimits.mapBytesMax) return null;
          return { map: new TraceMap(text), path: pathInPlace(found.path), original: content };
        },
      };
    },
  };
}

type Read = (release: string) => Promise<{ readonly files: readonly { path: string; sha256: string }[] } | null>;

/** The files of releases, each read once. */
class Releases {
  readonly #read: Read;
  readonly #files = new Map<string, ReadonlyMap<string, string>>();

  constructor(read: Read) {
    this.#read = read;
  }

  /** The digests of a release's files by their paths. */
  async files(release: string): Promise<ReadonlyMap<string, string>> {
    const known = this.#files.get(release);
    if (known) return known;
    const stored = await this.#read(release);
    const files = new Map(stored?.files.map(({ path, sha256 }) => [path, sha256]));
    this.#files.set(release, files);
    return files;
  }

  /**
   * Finds the built file that is served at the URL that a stack names, or at its path on any host, in the first release
   * that has its map.
   */
  async builtBy(file: string, releases: readonly string[]) {
    if (isForeign(file, builtPath(file))) return null;
    for (const release of releases) {
      const files = await this.files(release);
      const path = [builtPlace(file), builtPath(file)].find((place) => files.has(`${place}.map`));
      if (path !== undefined) return { release, path };
    }
    return null;
  }
}

/** Whether a file can't be the program's: a browser extension's, or an installed package's. */
function isForeign(file: string, path: string): boolean {
  return /^[a-z-]{1,20}-extension:/i.test(file) || isInstalled(path);
}

/** Returns an original file as a map names it: `null` when it names none. */
export function originalIn({ map, path }: Pick<MappedFile, "map" | "path">, resolved: string | null): string | null {
  const index = resolved === null ? -1 : map.resolvedSources.indexOf(resolved);
  const name = map.sources[index];
  return name ? originalPath(path, `${map.sourceRoot ?? ""}${name}`) : null;
}
