import type { LocatedFrame } from "../findings/located-frame.ts";

/** A path as it is shown: relative to the repository if that is known. */
export type ShownPath = (file: string) => string;

/** Folders of deployed code that say nothing. */
const deployFolder = /^\/(?:usr\/src\/app|srv\/app|app|workspace|home\/[^/]+|Users\/[^/]+)\//;
/** Folders that stand at the top of a repository, or below it, and are worth showing. */
const sourceFolder = /\/(?:src|lib|libs|apps|server|services|packages|pkg|cmd|internal|dist|build)\//;

/** Shows the paths of a failure: below the folder that the own code on the stack has in common, its `src` included. */
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
