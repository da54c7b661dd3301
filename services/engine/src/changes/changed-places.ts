import type { Location } from "@whence/protocol";
import type { ChangeEffect } from "../signals/change-effect.ts";
import type { ReleaseChange } from "../signals/facts/release-change.ts";
import { innermostSpan, type SourceText } from "../source/source-text.ts";
import type { Traced } from "../trace/traced.ts";
import { codeOf } from "./code-lines.ts";
import { isSameFile } from "./same-file.ts";

/** A line of the failing service's own code that the failure runs through: on the stack, or on the value's trail. */
interface PassedLine {
  readonly place: Location & { readonly line: number };
  readonly source: SourceText;
}

interface ChangedPlace<Change> {
  readonly effect: ChangeEffect<"line" | "function">;
  readonly place: Location;
  readonly in: Change;
}

/**
 * Returns the lines on the failure's path that a release changed, and the functions on it that the release changed
 * elsewhere.
 */
export function changedPlaces<Change extends Pick<ReleaseChange, "hunk" | "path">>(
  changes: readonly Change[],
  traced: Traced,
): ChangedPlace<Change>[] {
  const passed = passedLines(traced);
  return changes.flatMap((change): ChangedPlace<Change>[] => {
    const inFile = passed.filter(({ place }) => isSameFile(place.file, change.path));
    const line = inFile.find((one) => isLineOf(change.hunk, one));
    if (line) return [{ effect: effectOf("line", line.place), place: line.place, in: change }];
    const inFunction = inFile.find((one) => isInFunctionOf(change.hunk, one, traced));
    if (!inFunction) return [];
    const place = { ...inFunction.place, line: Math.max(1, change.hunk.to) };
    return [{ effect: effectOf("function", place), place, in: change }];
  });
}

function effectOf(kind: "line" | "function", { file, line }: PassedLine["place"]): ChangedPlace<never>["effect"] {
  return { kind, file, line };
}

function passedLines({ signals, frames }: Traced): PassedLine[] {
  const onTrail = signals.map(({ subject: { file, line, function: name, source } }) => ({
    place: { file, line, function: name },
    source,
  }));
  const onStack = frames.flatMap(({ frame, place }) =>
    place && frame.origin === "app"
      ? [{ place: { file: place.file, line: place.line, function: place.function }, source: place.source }]
      : [],
  );
  return [...onTrail, ...onStack];
}

/**
 * An added line is compared by its text, because line numbers differ in built files. Removed lines are compared by
 * where they were.
 */
function isLineOf({ to, added }: ReleaseChange["hunk"], { place: { line }, source }: PassedLine): boolean {
  if (added.length === 0) return line === to || line === to - 1;
  const text = added[line - to];
  return text !== undefined && codeOf(text) !== "" && text.trim() === source.line(line).trim();
}

function isInFunctionOf({ to, added }: ReleaseChange["hunk"], passed: PassedLine, { files }: Traced): boolean {
  const { source, place } = passed;
  const code = files.find((file) => file.source === source || file.source.name === source.name);
  if (!code) return false;
  const found = innermostSpan(code.functions, source.lines(place.line, place.line).end);
  if (!found) return false;
  const [first, last] = [source.lineAt(found.start), source.lineAt(found.end)];
  if (to < first || to > last) return false;
  return added.every((text, index) => text.trim() === source.line(to + index).trim());
}
