import type { TelemetryEvent } from "@whence/protocol";

/** Files of one batch that are asked for at once; an investigation asks for the rest. */
const failingFilesMax = 20;
/** Stands for the program's main file. */
const mainFile = ".";

/**
 * Returns the program's own files on the stacks of reported errors, each once, as the stacks name them; the main file
 * for errors that name none. Empty when no error is reported.
 */
export function failingFiles(events: readonly TelemetryEvent[]): readonly string[] {
  const errors = events.flatMap(({ level, exceptions = [] }) =>
    level === "error" || level === "critical" ? exceptions : [],
  );
  if (errors.length === 0) return [];
  const files = new Set<string>();
  for (const { frames = [] } of errors) {
    for (const { file, in_app } of frames) {
      if (in_app && file !== undefined && files.size < failingFilesMax) files.add(file);
    }
  }
  return files.size === 0 ? [mainFile] : [...files];
}
