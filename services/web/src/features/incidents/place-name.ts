import type { Location } from "@whence/protocol";
import { shortPath } from "./short-path.ts";

/** `storefront/money.ts:12`. */
export function placeName({ file, line }: Pick<Location, "file" | "line">): string {
  return line === null ? shortPath(file) : `${shortPath(file)}:${line}`;
}
