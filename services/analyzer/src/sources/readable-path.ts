import { posix } from "node:path";

/** Extensions of code and of build inputs. Nothing else is read. */
const readableEndings = new Set(
  "astro c cc cjs clj cljs cpp cs cts cxx dart erl ex exs fs go gql graphql groovy h hpp hs java js json jsx kt kts lua m map mjs mm mts php pl prisma ps1 py pyx r rb rs scala sh sql svelte swift ts tsx vb vue".split(
    " ",
  ),
);
/** Files that hold credentials although their extension is one of code or data. */
const secretName = /(?:secret|credential|passw(?:or)?d|private[-_]?key|service[-_]?account|token)[^/]*\.json$/i;

/**
 * Returns whether a file may be read, by its path from the root: code, or data next to it, but no hidden files (`.env`,
 * `.git`), keys, certificates, or anything above the root.
 */
export function isReadable(path: string): boolean {
  if (/[\0\\]/.test(path) || posix.isAbsolute(path)) return false;
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "..")) return false;
  // pnpm keeps installed packages in a hidden folder.
  if (segments.some((segment, at) => segment.startsWith(".") && !isPnpmStore(segments, at))) return false;
  return readableEndings.has(posix.extname(path).slice(1).toLowerCase()) && !secretName.test(path);
}

function isPnpmStore(segments: readonly string[], at: number): boolean {
  return segments[at] === ".pnpm" && segments[at - 1] === "node_modules";
}
