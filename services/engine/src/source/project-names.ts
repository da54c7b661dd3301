import { parseJson } from "@whence/protocol";
import { z } from "zod";
import type { ParsedFrame } from "../findings/parsed-error.ts";
import { isInstalledName } from "./installed-package.ts";
import { languageOfFile, tableOf } from "./languages/languages.ts";
import { namesInSettings, namesInSetup } from "./python-names.ts";
import type { SourceText } from "./source-text.ts";

/** The names that a project's manifests give its own code. */
export interface ProjectNames {
  /** Whether a manifest gave one. */
  readonly isKnown: boolean;
  /** Returns whether a call is in a package of the project, wherever a user has it installed. */
  own(frame: ParsedFrame): boolean;
  /** Returns the folder that a file's package is in, where the path names it, empty for the project's own; else null. */
  rootOf(file: string): string | null;
}

/** Where a manifest names its package. */
interface Manifest {
  readonly file: RegExp;
  names(text: string): readonly (string | undefined)[];
}

const jsonName = z.object({ name: z.string() }).partial().catch({});
/** A crate's name counts only in the section about the package. */
const crateName = /^\[package\][^\n]*(?:\n(?!\[)[^\n]*){0,80}?\nname[ \t]*=[ \t]*["']?([\w.-]+)/m;
const assignedName = /\bname[ \t]*=[ \t]*["']([\w.-]+)["']/;

const manifests: readonly Manifest[] = [
  { file: /^(?:pyproject\.toml|setup\.cfg)$/, names: namesInSettings },
  { file: /^Cargo\.toml$/, names: (text) => [crateName.exec(text)?.[1]] },
  { file: /^setup\.py$/, names: namesInSetup },
  { file: /\.gemspec$/, names: (text) => [assignedName.exec(text)?.[1]] },
  { file: /^(?:package|composer)\.json$/, names: (text) => [jsonName.parse(parseJson(text)).name] },
  { file: /^go\.mod$/, names: (text) => [/^module[ \t]+(\S+)/m.exec(text)?.[1]] },
  { file: /^pom\.xml$/, names: (text) => [groupOf(text)] },
  {
    file: /^(?:build\.gradle(?:\.kts)?|gradle\.properties)$/,
    names: (text) => [/^[ \t]*group(?:[ \t]*=)?[ \t]*["']?([\w.-]+)/m.exec(text)?.[1]],
  },
];

/** A group of one word, such as `com`, says nothing about whose classes are in it. */
const groupPartsMin = 2;

/** Returns whether a file is a manifest that can name a project's package. */
export function isManifest(path: string): boolean {
  return manifests.some(({ file }) => file.test(baseOf(path)));
}

/** Returns the names in a project's manifests, except those of installed packages. */
export function projectNamesOf(files: readonly Pick<SourceText, "name" | "text">[]): ProjectNames {
  const names = files
    .filter(({ name }) => !isInstalledName(name))
    .flatMap(({ name, text }) =>
      manifests.filter(({ file }) => file.test(baseOf(name))).flatMap((one) => one.names(text)),
    )
    .flatMap((name) => (name ? [normal(name)] : []));
  // A package's name can't have a dash, which a group may.
  const groups = names
    .filter((name) => name.split(".").length >= groupPartsMin)
    .flatMap((name) => [name, name.replaceAll("-", "")]);
  return {
    isKnown: names.length > 0,
    own({ file }) {
      if (file === null) return false;
      const { printsClasses, homes } = tableOf(languageOfFile(file));
      const path = normal(file);
      if (printsClasses) return groups.some((group) => path.startsWith(`${group.replaceAll(".", "/")}/`));
      return belowInstalled(path, homes.dependencyFolders).some((below) => names.some((name) => isIn(below, name)));
    },
    rootOf(file) {
      const folders = file.split("/").slice(0, -1);
      const last = folders.findLastIndex((folder) => names.includes(normal(folder)));
      return last < 0
        ? null
        : folders
            .slice(0, last)
            .map((folder) => `${folder}/`)
            .join("");
    },
  };
}

/** A project is named near the beginning of its file; what follows can be long. */
const pomUnitsMax = 20_000;

/** Maven's own group takes precedence over its parent's, which may be a framework's. */
function groupOf(text: string): string | undefined {
  const pom = text.slice(0, pomUnitsMax);
  const parent = /<parent>[\s\S]{0,2000}?<\/parent>/.exec(pom)?.[0] ?? "";
  const [head = ""] = pom.replace(parent, "").split(/<(?:dependencies|dependencyManagement|build|profiles)>/);
  const group = /<groupId>\s*([\w.-]+)\s*<\/groupId>/;
  return (group.exec(head) ?? group.exec(parent))?.[1];
}

/** Returns the ends of a path below the folders that installed packages are in. */
function belowInstalled(path: string, folders: readonly string[]): string[] {
  const below = folders.map((folder) => [folder, `/${path}`.lastIndexOf(normal(folder))] as const);
  return below.flatMap(([folder, at]) => (at < 0 ? [] : [`/${path}`.slice(at + folder.length)]));
}

/** Returns whether a path is in a package: the first folder has its name, or one has it with a version. */
function isIn(below: string, name: string): boolean {
  const isFirst = below.startsWith(name) && /^(?:\/|@|\.py)/.test(below.slice(name.length));
  return (
    isFirst || below.split("/").some((part) => part.startsWith(`${name}-`) && /^\d/.test(part.slice(name.length + 1)))
  );
}

/** Managers take `-` and `_`, and letters of either case, for the same; Go's marks capitals with `!`. */
function normal(name: string): string {
  return name.toLowerCase().replaceAll("_", "-").replaceAll("!", "");
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
