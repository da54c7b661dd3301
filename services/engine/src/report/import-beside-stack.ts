import type { PlaceSubject } from "../signals/subject.ts";
import type { Traced } from "../trace/traced.ts";
import type { ShownPath } from "./shown-path.ts";

/** An import between a file and one on the stack. */
export interface ImportBesideStack {
  /** The file on the stack. */
  readonly stackFile: string;
  /** Whether the file on the stack imports the other, rather than being imported by it. */
  readonly isImporter: boolean;
}

/** Returns how a file is tied to the stack by an import, from the innermost frame outward; null where it isn't. */
export function importBesideStack(
  { source }: PlaceSubject,
  { frames, files }: Traced,
  shown: ShownPath,
): ImportBesideStack | null {
  if (!source) return null;
  const importsOf = (name: string): readonly string[] =>
    files.find((file) => file.source.name === name)?.imports.map((imported) => imported.name) ?? [];
  const imported = new Set(importsOf(source.name));
  for (const { file } of frames) {
    if (importsOf(file).includes(source.name)) return { stackFile: shown(file), isImporter: true };
    if (imported.has(file)) return { stackFile: shown(file), isImporter: false };
  }
  return null;
}
