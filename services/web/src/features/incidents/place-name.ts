import { type Location, shortPath } from "@whence/protocol";

/** `storefront/money.ts:12`. */
export function placeName({ file, line }: Pick<Location, "file" | "line">): string {
  return line === null ? shortPath(file) : `${shortPath(file)}:${line}`;
}
