import { folderOf, type PathIndex, pathIn } from "../source/path-index.ts";

const mapLink = /\/\/[#@] sourceMappingURL=([^\s:]{1,500})\s*$/;
const linkUnitsMax = 1_000;

/** Returns the source map that a file names at its end, or the original sources of a map. */
export function sourceMapLinks(path: string, text: string, paths: PathIndex): string[] {
  if (path.endsWith(".map")) return originalsOf(path, text).filter((one) => paths.has(one));
  const map = mapLink.exec(text.slice(-linkUnitsMax))?.[1];
  const target = map === undefined ? null : pathIn(folderOf(path), map);
  return target !== null && paths.has(target) ? [target] : [];
}

/** The original sources of a map, without those outside the root. */
function originalsOf(path: string, text: string): string[] {
  try {
    const map: unknown = JSON.parse(text);
    if (typeof map !== "object" || map === null || !("sources" in map) || !Array.isArray(map.sources)) return [];
    const root = "sourceRoot" in map && typeof map.sourceRoot === "string" ? map.sourceRoot : "";
    const names = map.sources.filter((source) => typeof source === "string");
    return names.map((source) => pathIn(folderOf(path), `${root}/${source.replace(/^[\w-]{1,20}:\/\/\/?/, "")}`));
  } catch {
    return [];
  }
}
