import type { KnownChanges, KnownCode, ParsedInput } from "../findings/findings.ts";
import { type LocatedFrame, lineOf } from "../findings/located-frame.ts";
import type { Observation } from "../findings/observation.ts";
import type { ModelCitation, ProposedSubject } from "../signals/facts/model-finding.ts";
import type { SourceText } from "../source/source-text.ts";
import { isReleaseSeen, isServiceSeen } from "./known-services.ts";
import { isNamedBy } from "./quoted-in.ts";
import { flat, tellingQuote } from "./quotes.ts";

/** Everything that a model may quote. */
export type CitedFindings = KnownCode &
  Pick<KnownChanges, "changes"> &
  Pick<ParsedInput, "error" | "observedAt" | "event" | "about">;

/** The texts of an investigation, and whether they have what a model quotes. */
export class Citable {
  readonly #files: readonly SourceText[];
  readonly #frames: KnownCode["frames"];
  readonly #input: readonly string[];
  readonly #observations: readonly Observation[];
  readonly #own: readonly (string | null | undefined)[];

  constructor(cited: CitedFindings, observations: readonly Observation[]) {
    const { error, frames, files, readByModel = [], event, about, changes = [] } = cited;
    this.#files = [...files, ...readByModel];
    this.#frames = frames;
    const windows = frames.flatMap(({ place }) => (place ? [place.source.text] : []));
    const texts = [...error.sources, ...error.exceptions.map(({ source }) => source)].map(({ text }) => text);
    this.#input = [...new Set([...texts, ...windows])].map(flat);
    this.#observations = [...observations, ...changes.map(({ observation }) => observation)];
    this.#own = [event?.service, about?.service];
  }

  /** The error as it came in, on one line. */
  get input(): string {
    return this.#input.join(" ");
  }

  /** Returns the only file with a path, which may be shortened; null when there is none. */
  file(path: string): SourceText | null {
    const exact = this.#files.find(({ name }) => name === path);
    if (exact) return exact;
    const alike = this.#files.filter(({ name }) => name.endsWith(`/${path}`) || path.endsWith(`/${name}`));
    return alike.length === 1 ? (alike[0] ?? null) : null;
  }

  /** Returns the frame at a path, which may be shortened, and a line; null when the stack doesn't print it. */
  framed(path: string, line: number | null): LocatedFrame | null {
    const found = this.#frames.find(
      (frame) => (frame.file === path || frame.file.endsWith(`/${path}`)) && (line === null || lineOf(frame) === line),
    );
    return found ?? null;
  }

  /** Returns whether the failure or an observation names a service, or a release of it. */
  knows(subject: Extract<ProposedSubject, { readonly kind: "service" | "release" }>): boolean {
    return subject.kind === "release"
      ? isReleaseSeen(subject, this.#observations)
      : this.#own.includes(subject.service) || isServiceSeen(subject.service, this.#observations);
  }

  /** Returns whether a quote is where it is said to be, whatever its whitespace. */
  holds(citation: ModelCitation): boolean {
    const wanted = tellingQuote(citation.excerpt);
    if (wanted === null) return false;
    switch (citation.kind) {
      case "source":
        return this.#linesOf(citation).includes(wanted);
      case "evidence":
        return this.#evidence(citation.digest).some((excerpt) => flat(excerpt).includes(wanted));
      case "input":
        return this.#input.some((text) => text.includes(wanted));
    }
  }

  #linesOf({ file, from, to }: Extract<ModelCitation, { readonly kind: "source" }>): string {
    const source = this.file(file);
    if (!source || to < from) return "";
    const { start, end } = source.lines(from, to);
    return flat(source.text.slice(start, end));
  }

  #evidence(digest: string): string[] {
    return this.#observations.flatMap(({ sha256, excerpt }) => (isNamedBy(digest, sha256) ? [excerpt] : []));
  }
}
