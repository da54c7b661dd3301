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

/** The languages, and the runtimes, that print errors. */
export const languages = {
  ...{ python, jvm, go, ruby, php, dotnet, rust, elixir, dart, javascript, native },
} satisfies Record<string, LanguageTable>;
export type Language = keyof typeof languages;

const tables: Readonly<Record<Language, LanguageTable>> = languages;
const names = Object.keys(languages) as readonly Language[];
/** What a frame is taken for that says nothing of its language. */
const unsaidLanguage: Language = "javascript";

/** What is known of a language. */
export function tableOf(language: Language | null): LanguageTable {
  return tables[language ?? unsaidLanguage];
}

/** The language that a file is written in, by its name; null for data, and for what isn't known. */
export function languageOfFile(path: string): Language | null {
  return names.find((name) => tables[name].files?.test(path) === true) ?? null;
}

/** The language that a runtime runs, by its name in a batch; null for one that isn't known. */
export function languageOfRuntime(runtime: string): Language | null {
  const wanted = runtime.trim().toLowerCase();
  return names.find((name) => tables[name].runtimes.includes(wanted)) ?? null;
}

/** What a code block in Markdown calls the language of a file; its ending where that has no other name. */
export function blockNameOf(file: string): string {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? "";
  return Object.values(tables).flatMap(({ blockNames }) => blockNames?.[ending] ?? [])[0] ?? ending;
}

/** The paths that an import leads to, among some files. */
export function resolveImport(module: string, from: string, files: ImportableFiles): readonly string[] {
  const language = languageOfFile(from);
  return (language === null ? undefined : tables[language].imports?.resolve(module, from, files)) ?? [];
}

/** The module that a name imported from another may be; null where names are never modules. */
export function memberModule(from: string, module: string, name: string): string | null {
  const language = languageOfFile(from);
  return (language === null ? undefined : tables[language].imports?.memberModule?.(module, name)) ?? null;
}

/**
 * The paths of the files that a file imports, or sees without importing them. Read from the text of its lines, so an
 * import in a comment counts too.
 */
export function importedPaths(from: string, text: string, files: ImportableFiles): string[] {
  const language = languageOfFile(from);
  const rules = language === null ? undefined : tables[language].imports;
  if (!rules) return [];
  const named = rules.written(text).flatMap((module) => rules.resolve(module, from, files));
  const unsaid = rules.unsaid?.(from, text, files.paths) ?? [];
  return [...new Set([...unsaid, ...named])].filter((path) => path !== from);
}
