import { type FileContent, utf8Length } from "@whence/protocol";
import type { FileNotRead } from "../findings/file-not-read.ts";
import type { ParsedFrame } from "../findings/parsed-error.ts";
import { hasPrintedCode, isAnchored } from "../source/anchor.ts";
import { gatherLimits } from "../source/gather-limits.ts";
import { isSameVersion } from "./same-version.ts";
import type { SourceFile, SourceFiles } from "./source-files.ts";

/** A file of the service's code. */
export interface GatheredFile extends FileContent {
  /** Relative to the service's folder. */
  readonly path: string;
  /** The version of the file, in words for people. */
  readonly version: string;
}

/** A file of the service's own code, and where it runs. */
export interface OwnFile {
  readonly path: string;
  readonly root: string;
  readonly text: string;
  /** The number of imports between it and what led to it. */
  readonly depth: number;
}

/** The reason to read a file: a frame of the stack, or a number of imports. */
interface Leading {
  readonly frame?: ParsedFrame;
  /** Whether the frame's path shows another package than the file's: then only the printed code tells that it is the same. */
  readonly isRenamed?: boolean;
  readonly depth?: number;
}

/** The files chosen so far, within the limits. */
export class ChosenFiles {
  readonly own: OwnFile[] = [];
  readonly files: GatheredFile[] = [];
  readonly #sources: SourceFiles;
  readonly #seen = new Set<string>();
  /** Files that weren't those of a frame, which another frame may ask for: hundreds can print one path. */
  readonly #others = new Map<string, SourceFile>();
  readonly #notRead = new Map<string, FileNotRead["why"]>();
  #bytes = 0;

  constructor(sources: SourceFiles) {
    this.#sources = sources;
  }

  get isFull(): boolean {
    return this.files.length >= gatherLimits.filesMax || this.#bytes >= gatherLimits.bytesMax;
  }

  /** How many more files may be chosen. */
  get room(): number {
    return gatherLimits.filesMax - this.files.length;
  }

  get notRead(): FileNotRead[] {
    return [...this.#notRead].map(([file, why]) => ({ file, why }));
  }

  /** The folder that the service runs in, taken from the innermost frame that was found. */
  get root(): string {
    return this.own[0]?.root ?? "";
  }

  miss(file: string, why: FileNotRead["why"]): void {
    this.#notRead.set(file, why);
  }

  /**
   * Adds a file of the service's own code, unless its frame shows that different lines ran. Returns whether it is one of
   * those chosen.
   */
  async add(path: string, root: string, { frame, isRenamed = false, depth = 0 }: Leading = {}): Promise<boolean> {
    const text = await this.#read(path, `${root}${path}`, frame, isRenamed);
    if (text !== null) this.own.push({ path, root, text, depth });
    return this.own.some((one) => one.path === path);
  }

  /** Adds a file of an installed package when the provider has it. */
  async addPackaged(path: string): Promise<void> {
    await this.#read(path, `${this.root}${path}`);
  }

  async #read(path: string, name: string, frame?: ParsedFrame, isRenamed = false): Promise<string | null> {
    if (this.#seen.has(path)) return null;
    this.#seen.add(path);
    if (this.isFull) return this.#leaveOut(name, "no-room");
    const { fileBytesMax, bytesMax } = gatherLimits;
    const file = this.#others.get(path) ?? (await this.#sources.read(path, fileBytesMax));
    if (file.outcome !== "read") {
      // A missing file of a package, or a listed file that is gone, isn't worth mentioning to a reader.
      return file.outcome === "absent" && !frame ? null : this.#leaveOut(name, file.outcome);
    }
    const { text, version } = file;
    const isOther = frame !== undefined && frame.origin !== "app" && !isAnchored({ name, text }, frame);
    if (isOther || (isRenamed && frame !== undefined && !hasPrintedCode(text, frame))) {
      this.#seen.delete(path);
      this.#others.set(path, file);
      return null;
    }
    if (frame && !isSameVersion(text, frame)) return this.#leaveOut(name, "other-version");
    const bytes = utf8Length(text);
    if (this.#bytes + bytes > bytesMax) return this.#leaveOut(name, "no-room");
    this.#bytes += bytes;
    this.files.push({ name, path, content: text, version });
    return text;
  }

  #leaveOut(file: string, why: FileNotRead["why"]): null {
    this.#notRead.set(file, why);
    return null;
  }
}
