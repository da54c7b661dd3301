import type { CodeLinks, Location } from "@whence/protocol";

/** The pages of a place in source code at its code host. */
export interface PlaceUrls {
  readonly vendor: string;
  readonly file: string;
  readonly blame: string;
}

type Place = Pick<Location, "file" | "line">;

/** Returns the pages of a place; null when its service has no known code, or the file isn't in the repository. */
export function placeUrls(code: readonly CodeLinks[], service: string | null, { file, line }: Place): PlaceUrls | null {
  const links = code.find((one) => one.service === service);
  const root = links?.roots.find(({ from }) => file.startsWith(from));
  if (!links || !root) return null;
  const path = `${root.to}${file.slice(root.from.length)}`.replaceAll("\\", "/").split("/").map(encodeURIComponent);
  const at = `${path.join("/")}${line === null ? "" : `#L${line}`}`;
  return { vendor: links.vendor, file: `${links.file_url}${at}`, blame: `${links.blame_url}${at}` };
}

/** Returns the page of a commit with its diff; null when the service has no known code. */
export function commitUrl(code: readonly CodeLinks[], service: string, commit: string): string | null {
  const links = code.find((one) => one.service === service);
  return links ? `${links.commit_url}${encodeURIComponent(commit)}` : null;
}
