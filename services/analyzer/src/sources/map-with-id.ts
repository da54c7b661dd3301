import { posix } from "node:path";
import { debugIdOfMap, gatherLimits, type SourceFiles } from "@whence/engine";

/** With more maps, finding one would take longer than a report may. */
const searchedMapsMax = 200;

/**
 * Returns the path of the source map with a debug ID, by reading maps one after the other, those named after the file
 * first.
 */
export async function mapWithId(
  sources: Pick<SourceFiles, "paths" | "read">,
  debugId: string,
  path: string,
): Promise<string | null> {
  const named = `${posix.basename(path)}.map`;
  const maps = (await sources.paths()).filter((one) => one.endsWith(".map"));
  const isNamed = (map: string) => posix.basename(map) === named;
  const ordered = [...maps.filter(isNamed), ...maps.filter((map) => !isNamed(map))];
  for (const map of ordered.slice(0, searchedMapsMax)) {
    const file = await sources.read(map, gatherLimits.fileBytesMax);
    if (file.outcome === "read" && debugIdOfMap(file.text) === debugId) return map;
  }
  return null;
}
