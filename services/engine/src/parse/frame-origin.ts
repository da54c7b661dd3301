import type { FrameOrigin } from "../findings/parsed-error.ts";
import { type Language, tableOf } from "../source/languages/languages.ts";

/**
 * Returns whose code a call is, by the path of its file or, where paths don't show it, by the package in its name.
 * `printed` is the path before it was normalized.
 */
export function frameOrigin(
  file: string | null,
  language: Language | null = null,
  name: string | null = null,
  printed: string | null = null,
): FrameOrigin {
  const { homes } = tableOf(language);
  if (file === null ? homes.isRuntimeWithoutFile : homes.runtimeFiles?.test(file)) return "runtime";
  if (printed !== null && homes.runtimeFilesAsPrinted?.test(printed)) return "runtime";
  const path = file === null ? "" : file.startsWith("/") || /^[<[]|^\w+:/.test(file) ? file : `/${file}`;
  const isOf = (packages: readonly string[] = []): boolean => packages.some((owner) => name?.startsWith(owner));
  const isIn = (folders: readonly string[]): boolean => folders.some((folder) => path.includes(folder));
  if (isOf(homes.runtimePackages)) return "runtime";
  if (isIn(homes.dependencyFolders)) return "dependency";
  if (isIn(homes.runtimeFolders)) return "runtime";
  return isOf(homes.dependencyPackages) ? "dependency" : "app";
}
