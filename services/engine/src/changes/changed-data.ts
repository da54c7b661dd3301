import { listsDependencies, programFileKind } from "@whence/protocol";
import type { ReleaseChange } from "../signals/facts/release-change.ts";
import type { Traced } from "../trace/traced.ts";

/** Shorter names, and those of manifests, are everywhere. */
const nameLengthMin = 6;
const quotes = ['"', "'", "`"];

/**
 * Returns the changed files of data and settings that code on the failure's path names: on the stack, or on the value's
 * trail. Each with the file that names it, at its first change.
 */
export function changedData<Change extends Pick<ReleaseChange, "path">>(
  changes: readonly Change[],
  { frames, signals }: Traced,
): { readonly readBy: string; readonly in: Change }[] {
  const passed = [
    ...frames.flatMap(({ frame, place }) => (place && frame.origin === "app" ? [place.source] : [])),
    ...signals.map(({ subject }) => subject.source),
  ];
  const byPath = [...Map.groupBy(changes.filter(isData), ({ path }) => path)];
  return byPath.flatMap(([path, [change]]) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (name.length < nameLengthMin || !change) return [];
    const reader = passed.find(({ text }) => quotes.some((quote) => names(text, name, quote)));
    return reader ? [{ readBy: reader.name, in: change }] : [];
  });
}

/** Returns whether a file holds data or settings, and isn't a list of dependencies. */
export function isData({ path }: { readonly path: string }): boolean {
  return programFileKind(path) === "data" && !listsDependencies(path);
}

function names(text: string, file: string, quote: string): boolean {
  return text.includes(`${quote}${file}${quote}`) || text.includes(`/${file}${quote}`);
}
