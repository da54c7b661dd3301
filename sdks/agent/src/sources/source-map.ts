/** What is used of a source map (ECMA-426). A map of maps isn't read. */
export interface SourceMapData {
  readonly version: number;
  readonly file: string;
  readonly sourceRoot: string;
  readonly sources: readonly string[];
  /** Null where the map doesn't have the code of a source. */
  readonly sourcesContent: readonly (string | null)[];
  readonly names: readonly string[];
  readonly mappings: string;
  /** Tools write one of them. */
  readonly debugId: string | undefined;
  readonly debug_id: string | undefined;
}

/** Returns null for what isn't a map. */
export function readSourceMap(text: string): SourceMapData | null {
  const map = readJson(text);
  if (typeof map !== "object" || map === null) return null;
  const fields: Readonly<Partial<Record<keyof SourceMapData, unknown>>> = map;
  const { sources, sourcesContent, names, mappings } = fields;
  if (!isTexts(sources) || typeof mappings !== "string") return null;
  const contents: readonly unknown[] = Array.isArray(sourcesContent) ? sourcesContent : [];
  return {
    version: 3,
    file: textOf(fields.file) ?? "",
    sourceRoot: textOf(fields.sourceRoot) ?? "",
    sources,
    sourcesContent: sources.map((_, index) => textOf(contents[index]) ?? null),
    names: isTexts(names) ? names : [],
    mappings,
    debugId: textOf(fields.debugId),
    debug_id: textOf(fields.debug_id),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
