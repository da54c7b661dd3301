import type { Location } from "@whence/protocol";

/** `src/cart.js:12`. */
export function placeName({ file, line }: Pick<Location, "file" | "line">): string {
  return line === null ? file : `${file}:${line}`;
}
