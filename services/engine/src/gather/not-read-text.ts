import { type FileNotRead, gatherLimits } from "./gather.ts";

/** Names of files that one line lists; the others are counted. */
const filesNamedMax = 5;
const { filesMax, fileBytesMax, bytesMax } = gatherLimits;

const reasons: Readonly<Record<FileNotRead["why"], string>> = {
  absent: "not in the configured source",
  "too-large": `larger than ${fileBytesMax / 1_000} kB`,
  "not-text": "not a text",
  "other-version": "differs from the version that ran",
  "no-room": `beyond the limit of ${filesMax} files and ${bytesMax / 1_000_000} MB`,
};

/** A line for each reason, with the files that it holds for. */
export function notReadText(files: readonly FileNotRead[]): string[] {
  return [...Map.groupBy(files, ({ why }) => why)].map(([why, some]) => {
    const named = some.slice(0, filesNamedMax).map(({ file }) => file);
    const more = some.length > named.length ? [`${some.length - named.length} more`] : [];
    return `source: ${[...named, ...more].join(", ")}: ${reasons[why]}`;
  });
}
