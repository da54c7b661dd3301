import type { CodeLinks, Location } from "@whence/protocol";

/** The pages of a place in source code at its code host. */
export interface PlaceUrls {
  readonly vendor: string;
  readonly file: string;
  readonly blame: string;
}

/** Whose code a place is in: a service, and the release of it that ran; null or absent where that isn't known. */
export interface CodeOwner {
  readonly service: string | null;
  readonly release?: string | null;
}

type Place = Pick<Location, "file" | "line">;

/**
 * Returns the pages of a place; null when its release has no known code, or the file isn't in the repository. Of the
 * roots that a path begins with, the longest counts.
 */
export function placeUrls(
  code: readonly CodeLinks[],
  { service, release }: CodeOwner,
  { file, line }: Place,
): PlaceUrls | null {
  const links = code.find((one) => one.service === service && (release ?? one.release) === one.release);
  const roots = links?.roots.filter(({ from }) => file.startsWith(from) && (from !== "" || !isAbsolute(file))) ?? [];
  const [root] = roots.toSorted((one, other) => other.from.length - one.from.length);
  if (!links || !root) return null;
  const parts = `${root.to}${file.slice(root.from.length)}`.split(/[\\/]/);
  if (parts.includes("..")) return null;
  const at = `${parts.map(encodeURIComponent).join("/")}${line === null ? "" : `#L${line}`}`;
  return { vendor: links.vendor, file: `${links.file_url}${at}`, blame: `${links.blame_url}${at}` };
}

/** Whether a path begins at a root, a drive, or a scheme such as `webpack:`. */
function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[a-z][\w+.-]*:)/i.test(path);
}

/** Returns the page of a commit with its diff; null when the service has no known code. */
export function commitUrl(code: readonly CodeLinks[], service: string, commit: string): string | null {
  const links = code.find((one) => one.service === service);
  return links ? `${links.commit_url}${encodeURIComponent(commit)}` : null;
}
