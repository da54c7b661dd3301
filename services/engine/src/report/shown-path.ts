import type { LocatedFrame } from "../findings/located-frame.ts";

/** Returns a path in the form shown to readers: relative to the repository if that is known. */
export type ShownPath = (file: string) => string;

/** Deployment folders, which say nothing. */
const deployFolder = /^\/(?:usr\/src\/app|srv\/app|app|workspace|home\/[^/]+|Users\/[^/]+)\//;
/** Folders at or below the top of a repository that are worth showing. */
const sourceFolder = /\/(?:src|lib|libs|apps|server|services|packages|pkg|cmd|internal|dist|build)\//;

/**
 * Shortens a failure's paths to be relative to the folder shared by the service's own code on the stack, including its
 * `src`.
 */
export function shownPathOf(frames: readonly LocatedFrame[]): ShownPath {
  const own = frames
    .filter(({ frame, file }) => frame.origin === "app" && file.startsWith("/"))
    .map(({ file }) => file);
  const root = rootOf([...new Set(own)]);
  return (file) => {
    const installed = /(?:^|\/)(node_modules|site-packages|dist-packages|gems|pkg\/mod)\//.exec(file);
    if (installed) return file.slice(installed.index).replace(/^\//, "");
    return root !== "" && file.startsWith(root) ? file.slice(root.length) : file;
  };
}

function rootOf(files: readonly string[]): string {
  const [first = "", ...others] = files;
  let end = first.lastIndexOf("/") + 1;
  while (end > 0 && !others.every((file) => file.startsWith(first.slice(0, end)))) {
    end = first.lastIndexOf("/", end - 2) + 1;
  }
  const common = first.slice(0, end);
  const deployed = deployFolder.exec(common)?.[0].length ?? 1;
  const folder = sourceFolder.exec(common.slice(deployed - 1));
  return folder ? common.slice(0, deployed + folder.index) : common;
}
