import { nodePackageFolder } from "../installed-package.ts";
import { dart } from "./dart.ts";
import { dotnet } from "./dotnet.ts";
import { elixir } from "./elixir.ts";
import { go } from "./go.ts";
import { javascript } from "./javascript.ts";
import { jvm } from "./jvm.ts";
import type { ImportableFiles, LanguageTable } from "./language.ts";
import { native } from "./native.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";

/** The languages and runtimes that print errors. */
export const languages = {
  python,
  jvm,
  go,
  ruby,
  php,
  dotnet,
  rust,
  elixir,
  dart,
  javascript,
  native,
} satisfies Record<string, LanguageTable>;
export type Language = keyof typeof languages;

const tables: Readonly<Record<Language, LanguageTable>> = languages;
/** The names of all languages. */
export const languageNames = Object.keys(languages) as readonly Language[];
/** The language of a frame that doesn't show one. */
const unsaidLanguage: Language = "javascript";

/** Returns the table of a language. */
export function tableOf(language: Language | null): LanguageTable {
  return tables[language ?? unsaidLanguage];
}

/** Returns the language of a file by its name; null for data and unknown files. */
export function languageOfFile(path: string): Language | null {
  return languageNames.find((name) => tables[name].files?.test(path) === true) ?? null;
}

/** Returns the language that a runtime runs, by the runtime's name in a batch; null for an unknown one. */
export function languageOfRuntime(runtime: string): Language | null {
  const wanted = runtime.trim().toLowerCase();
  return languageNames.find((name) => tables[name].runtimes.includes(wanted)) ?? null;
}

/** Returns the name of a file's language in a Markdown code block; by default, its extension. */
export function blockNameOf(file: string): string {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? "";
  return Object.values(tables).flatMap(({ blockNames }) => blockNames?.[ending] ?? [])[0] ?? ending;
}

/** Returns the paths that an import resolves to among some files. */
export function resolveImport(module: string, from: string, files: ImportableFiles): readonly string[] {
  const language = languageOfFile(from);
  return (language === null ? undefined : tables[language].imports?.resolve(module, from, files)) ?? [];
}

/** Returns the module that an imported name may refer to; null in languages where names are never modules. */
export function memberModule(from: string, module: string, name: string): string | null {
  const language = languageOfFile(from);
  return (language === null ? undefined : tables[language].imports?.memberModule?.(module, name)) ?? null;
}

/**
 * Returns the paths of the files that a file imports, or sees without importing them. Read from the text of its lines,
 * so an import in a comment counts too. Other packages in `node_modules` are left out.
 */
export function importedPaths(from: string, text: string, files: ImportableFiles): string[] {
  const language = languageOfFile(from);
  const rules = language === null ? undefined : tables[language].imports;
  if (!rules) return [];
  const named = rules.written(text).flatMap((module) => rules.resolve(module, from, files));
  const unsaid = rules.unsaid?.(from, text, files.paths) ?? [];
  const home = nodePackageFolder(from);
  return [...new Set([...unsaid, ...named])].filter((path) => path !== from && nodePackageFolder(path) === home);
}
