import type { Location } from "@whence/protocol";

/** `src/cart.js:12`. */
export function placeName({ file, line }: Location): string {
  return line === null ? file : `${file}:${line}`;
}
