/** The beginning of paths as a program reports them, and what replaces it in the repository. */
export interface PathRoot {
  readonly from: string;
  readonly to: string;
}

/** A file's name and its folder tell which file of a repository it is; a name alone doesn't. */
const partsMatchedMin = 2;

/**
 * Returns how the paths of a program map to those of its repository, from the files that are only one of the
 * repository's: `/srv/shop/src/cart.ts` is `src/cart.ts`, so `/srv/shop/` is replaced by nothing. The longest is first;
 * an empty one is of relative paths only.
 */
export function pathRoots(files: readonly string[], paths: readonly string[]): PathRoot[] {
  const roots = files.flatMap((file) => rootOf(file, paths) ?? []);
  return roots
    .filter(({ from, to }, index) => roots.findIndex((one) => one.from === from && one.to === to) === index)
    .sort((one, other) => other.from.length - one.from.length);
}

function rootOf(file: string, paths: readonly string[]): PathRoot | null {
  const parts = file.split(/[\\/]/);
  const matches = paths.map((path) => ({ path, matched: matchedParts(parts, path.split("/")) }));
  const most = Math.max(0, ...matches.map(({ matched }) => matched));
  const [best, ...others] = matches.filter(({ matched }) => matched === most);
  if (!best || others.length > 0) return null;
  const isWhole = most === parts.length || most === best.path.split("/").length;
  if (most < partsMatchedMin && !isWhole) return null;
  if (most === 0) return null;
  const tail = parts.slice(-most).join("/");
  return { from: file.slice(0, file.length - tail.length), to: best.path.slice(0, best.path.length - tail.length) };
}

/** The number of equal parts at the end of two paths. */
function matchedParts(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count += 1;
  return count;
}
