import type { Location } from "@whence/protocol";

/** Returns whether a text already names a place, by its whole path or by the end of it. */
export function namesPlace(text: string, { file, line }: Location): boolean {
  const suffix = line === null ? "" : `:${line}`;
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, code = ""]) => code).some(
    (code) => code.endsWith(suffix) && `/${file}`.endsWith(`/${code.slice(0, code.length - suffix.length)}`),
  );
}
