import type { LocatedFrame } from "../findings/located-frame.ts";
import { packageOf } from "../source/installed-package.ts";
import { type ProjectNames, projectNamesOf } from "../source/project-names.ts";
import type { SourceText } from "../source/source-text.ts";

/** The code that the failure is about: what somebody calls "our code". */
export interface Project {
  /** Whether the given code is a package, and the stack is from an installation of it. */
  readonly isReported: boolean;
  /** Whether a manifest was given that tells the project's calls from those of other packages. */
  readonly isNamed: boolean;
  has(file: string): boolean;
}

/**
 * Returns the project among the files on a stack. If a frame of an installed package is in a file that was given as a
 * project's own, or in a package that a given manifest names, it is that package: its users report traces in which their
 * own programs aren't what is asked about. Otherwise it is the application, or every package when nothing else is on the
 * stack.
 */
export function projectOf(frames: readonly LocatedFrame[], given: readonly SourceText[]): Project {
  const own = new Set(given.flatMap(({ name }) => (packageOf(name) === "" ? [name] : [])));
  const names = projectNamesOf(given);
  const named = new Set(frames.filter(({ frame }) => names.own(frame)).map(({ file }) => file));
  const isReported = frames.some(
    ({ file, frame }) => named.has(file) || (frame.origin === "dependency" && own.has(file)),
  );
  if (isReported) return { isReported, isNamed: named.size > 0, has: (file) => own.has(file) || named.has(file) };
  const app = new Set(
    frames.filter(({ file, frame }) => frame.origin === "app" && packageOf(file) === "").map(({ file }) => file),
  );
  const all = new Set(frames.map(({ file }) => file));
  const onStack = app.size > 0 ? inNamedFolders(app, names) : all;
  const isNamed = names.isKnown && app.size > 0;
  return { isReported, isNamed, has: (file) => onStack.has(file) || own.has(file) };
}

/** Returns the files beside the packages that a manifest names, where paths tell them from other projects' files. */
function inNamedFolders(files: ReadonlySet<string>, names: ProjectNames): ReadonlySet<string> {
  const roots = new Set([...files].flatMap((file) => names.rootOf(file) ?? []));
  const inside = [...files].filter((file) => [...roots].some((root) => isBelow(file, root)));
  return inside.length > 0 ? new Set(inside) : files;
}

function isBelow(file: string, root: string): boolean {
  return root === "" ? !/^(?:\/|[A-Za-z]:\/)/.test(file) : file.startsWith(root);
}
