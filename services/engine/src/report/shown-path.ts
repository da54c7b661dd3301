import type { KnownCode } from "../findings/findings.ts";
import { isInstalledName } from "../source/installed-package.ts";

/** Returns a path in the form shown to readers: relative to the repository if that is known. */
export type ShownPath = (file: string) => string;

/** Deployment folders, which say nothing. */
const deployFolder = /^\/(?:usr\/src\/app|srv\/app|app|workspace|home\/[^/]+|Users\/[^/]+)\//;
/** A folder that holds repositories rather than one. */
const isHome = /^\/(?:home|Users)\//;
/** Folders at or below the top of a repository that are worth showing. */
const sourceFolder = /\/(?:src|lib|libs|apps|server|services|packages|pkg|cmd|internal|dist|build)\//;

/**
 * Shortens a failure's paths to be relative to the folder shared by the service's own code, including its `src`: by that
 * on the stack and the files given besides, unless these share no folder.
 */
export function shownPathOf({ frames, files }: KnownCode): ShownPath {
  const onStack = frames.filter(({ frame, file }) => frame.origin === "app" && isPlaced(file)).map(({ file }) => file);
  const given = files.flatMap(({ kind, name }) => (kind === "source_file" && isPlaced(name) ? [name] : []));
  const shared = onStack.length > 0 ? rootOf([...new Set([...onStack, ...given])]) : "";
  const root = withoutRelative(shared.length > 1 ? shared : rootOf([...new Set(onStack)]), frames);
  return (file) => {
    const installed = /(?:^|\/)(node_modules|site-packages|dist-packages|gems|pkg\/mod)\//.exec(file);
    if (installed) return file.slice(installed.index).replace(/^\//, "");
    return root !== "" && file.startsWith(root) ? file.slice(root.length) : file;
  };
}

/** Leaves out the folders that relative paths on the stack begin with: a program prints some paths from its root on. */
function withoutRelative(root: string, frames: KnownCode["frames"]): string {
  const relative = frames.filter(({ frame, file }) => frame.origin === "app" && /^[^./][^/]*\//.test(file));
  const ends = relative.map(({ file }) => root.lastIndexOf(`/${file.slice(0, file.indexOf("/") + 1)}`));
  return root.slice(0, Math.min(root.length, ...ends.filter((end) => end >= 0).map((end) => end + 1)));
}

/** Returns whether a path says where a file of the user's own is on its machine. */
function isPlaced(file: string): boolean {
  return file.startsWith("/") && !isInstalledName(file);
}

function rootOf(files: readonly string[]): string {
  const [first = "", ...others] = files;
  let end = first.lastIndexOf("/") + 1;
  while (end > 0 && !others.every((file) => file.startsWith(first.slice(0, end)))) {
    end = first.lastIndexOf("/", end - 2) + 1;
  }
  const common = first.slice(0, end);
  const [deployed] = deployFolder.exec(common) ?? [];
  const folder = sourceFolder.exec(common.slice((deployed ?? "/").length - 1));
  if (folder) return common.slice(0, (deployed ?? "/").length + folder.index);
  return deployed !== undefined && !isHome.test(deployed) ? deployed : common;
}
