import { parse } from "jsonc-parser";
import { z } from "zod";
import { isInstalledName } from "../installed-package.ts";
import { folderOf, foldersAbove, type PathIndex, pathIn } from "../path-index.ts";
import type { ImportableFiles } from "./language.ts";

/** Files that say what the names of modules mean: `package.json`, and TypeScript's settings. */
const manifestName = /(?:^|\/)(?:package|[jt]sconfig(?:\.[\w-]+)?)\.json$/;
/** Manifests of one repository that are read; those nearest to its root are read first. */
const manifestsMax = 60;
/** Maximum nesting of conditions. */
const conditionsMax = 4;
/** Maximum settings files that extend one another. */
const extendsMax = 4;

/** Returns the paths of the manifests of a project, without those of installed packages. */
export function manifestPaths(paths: readonly string[]): string[] {
  const own = paths.filter((path) => manifestName.test(path) && !isInstalledName(path));
  return own.toSorted((left, right) => depth(left) - depth(right)).slice(0, manifestsMax);
}

/** Returns whether a manifest gives a name to something: to its package, to files in it, or by aliases. */
export function givesNames(text: string): boolean {
  const manifest = read(text);
  const { name, imports } = packageSchema.parse(manifest);
  const { compilerOptions, extends: extended } = settingsSchema.parse(manifest);
  return [name, imports, compilerOptions?.paths, extended].some((one) => one !== undefined);
}

/**
 * Returns the folder of a package of the project itself: one of several in a repository, or the only one, which its
 * tests may import by name. Null for another package.
 */
export function projectPackage(name: string, files: ImportableFiles): string | null {
  return namedPackages(files).get(name) ?? null;
}

/** Returns where the entry file of a package may be, or a file that it exports, by its package.json. */
export function entryTargets(root: string, subpath: string | undefined, files: ImportableFiles): string[] {
  const { main, module, exports } = packageAt(pathIn(root, "package.json"), files);
  const exported = subpath === undefined ? mainExports(exports) : matching(`./${subpath}`, exports);
  const entries = subpath === undefined ? [main, module, ...exported] : exported;
  return entries.flatMap((entry) => (typeof entry === "string" ? pathIn(root, entry) : []));
}

/** Returns what a name that begins with `#` may mean, by `imports` of the nearest package.json. */
export function subpathTargets(module: string, from: string, files: ImportableFiles): string[] {
  if (!module.startsWith("#")) return [];
  for (const folder of foldersAbove(from)) {
    const { imports } = packageAt(pathIn(folder, "package.json"), files);
    const targets = matching(module, imports).filter((target) => typeof target === "string");
    if (targets.length > 0) return targets.map((target) => pathIn(folder, target));
  }
  return [];
}

/** Returns what a name may mean by `paths` and `baseUrl` of the nearest settings of TypeScript. */
export function aliasTargets(module: string, from: string, files: ImportableFiles): string[] {
  for (const folder of foldersAbove(from)) {
    for (const name of ["tsconfig.json", "jsconfig.json", "tsconfig.base.json"]) {
      const settings = aliasesAt(pathIn(folder, name), files);
      if (settings === null) continue;
      const mapped = matching(module, settings.paths).filter((target) => typeof target === "string");
      const targets = mapped.map((target) => pathIn(settings.from, target));
      return settings.baseUrl === null ? targets : [...targets, pathIn(settings.baseUrl, module)];
    }
  }
  return [];
}

interface Aliases {
  readonly paths: Readonly<Record<string, unknown>>;
  /** The folder that `paths` are relative to. */
  readonly from: string;
  /** The folder in which every name is looked up; null for none. */
  readonly baseUrl: string | null;
}

const settingsSchema = z
  .object({
    extends: z.union([z.string(), z.array(z.string())]).optional(),
    compilerOptions: z
      .object({ baseUrl: z.string().optional(), paths: z.record(z.string(), z.unknown()).optional() })
      .catch({})
      .optional(),
  })
  .catch({});

function aliasesAt(path: string, files: ImportableFiles, left = extendsMax): Aliases | null {
  const settings = left === 0 ? undefined : manifestAt(path, files);
  if (settings === undefined) return null;
  const { compilerOptions = {}, extends: extended = [] } = settingsSchema.parse(settings);
  const folder = folderOf(path);
  const baseUrl = compilerOptions.baseUrl === undefined ? null : pathIn(folder, compilerOptions.baseUrl);
  if (compilerOptions.paths !== undefined) return { paths: compilerOptions.paths, from: baseUrl ?? folder, baseUrl };
  const bases = [extended].flat().filter((base) => base.startsWith("."));
  const inherited = bases.map((base) =>
    aliasesAt(pathIn(folder, base.replace(/(?:\.json)?$/, ".json")), files, left - 1),
  );
  const base = inherited.findLast((one) => one !== null) ?? { paths: {}, from: folder, baseUrl: null };
  return { ...base, baseUrl: baseUrl ?? base.baseUrl };
}

const packageSchema = z
  .object({
    name: z.string().optional(),
    main: z.unknown(),
    module: z.unknown(),
    exports: z.unknown(),
    imports: z.unknown(),
  })
  .partial()
  .catch({});

function packageAt(path: string, files: ImportableFiles): z.output<typeof packageSchema> {
  return packageSchema.parse(manifestAt(path, files));
}

/** Returns a manifest that may have comments; undefined where it nests deeper than can be read. */
function read(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** What was parsed, by the paths among which the same files are imported again and again. */
const parsedByIndex = new WeakMap<PathIndex, Map<string, unknown>>();
const packagesByIndex = new WeakMap<PathIndex, ReadonlyMap<string, string>>();

/** Returns a manifest as parsed; undefined when there is none. */
function manifestAt(path: string, { paths, textOf }: ImportableFiles): unknown {
  const parsed = parsedByIndex.get(paths) ?? new Map<string, unknown>();
  parsedByIndex.set(paths, parsed);
  if (!parsed.has(path)) {
    const text = textOf?.(path) ?? null;
    parsed.set(path, text === null ? undefined : read(text));
  }
  return parsed.get(path);
}

function namedPackages(files: ImportableFiles): ReadonlyMap<string, string> {
  const known = packagesByIndex.get(files.paths);
  if (known) return known;
  const manifests = files.paths.named("package.json").filter((path) => !isInstalledName(path));
  const named = manifests.map((path) => [packageAt(path, files).name ?? "", folderOf(path)] as const);
  const packages = new Map(named.filter(([name]) => name !== ""));
  packagesByIndex.set(files.paths, packages);
  return packages;
}

function mainExports(exports: unknown): unknown[] {
  const whole = isRecord(exports) && "." in exports ? exports["."] : exports;
  return targetsOf(whole, conditionsMax);
}

/** Returns the targets of a name's entry, with the match of `*` inserted. */
function matching(name: string, table: unknown): unknown[] {
  if (!isRecord(table)) return [];
  for (const [pattern, target] of Object.entries(table)) {
    const [before = "", after] = pattern.split("*");
    const isMatch = after === undefined ? name === pattern : name.startsWith(before) && name.endsWith(after);
    if (!isMatch || name.length < before.length + (after?.length ?? 0)) continue;
    const between = after === undefined ? "" : name.slice(before.length, name.length - after.length);
    return targetsOf(target, conditionsMax).map((one) => (typeof one === "string" ? one.replace("*", between) : one));
  }
  return [];
}

/** Returns the texts in conditions and alternatives, in file order. */
function targetsOf(value: unknown, left: number): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => targetsOf(one, left - 1));
  if (!isRecord(value) || left === 0) return [value];
  return Object.values(value).flatMap((one) => targetsOf(one, left - 1));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function depth(path: string): number {
  return path.split("/").length;
}
