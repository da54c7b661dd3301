import { posix } from "node:path";

/** Returns the path of a served file: `static/shop.js` for `~/static/shop.js` and `https://shop.example/static/shop.js?v=3`. */
export function builtPath(url: string): string {
  const bare = url
    .replace(/[?#].*$/s, "")
    .replace(/^[a-z][a-z0-9+.-]{0,20}:\/\/[^/]*/i, "")
    .replace(/^~/, "");
  return belowRoot(bare);
}

/**
 * Returns the path of an original file as a map names it: `src/cart.ts` for `webpack://shop/./src/cart.ts`, and for
 * `../src/cart.ts` in the map of `static/shop.js`.
 */
export function originalPath(built: string, name: string): string {
  const bare = name.replace(/^[\w-]{1,20}:\/\/\/?(?:[^/]{1,100}\/(?=\.\/))?/, "").replace(/\?.*$/s, "");
  return belowRoot(bare === name ? posix.join(posix.dirname(built), name) : bare);
}

/** Whether a file is someone else's: the program installed it. */
export function isInstalled(path: string): boolean {
  return /(?:^|\/)node_modules\//.test(path);
}

function belowRoot(path: string): string {
  return posix.normalize(`/${path.replaceAll("\\", "/").replace(/^(?:\.\.?\/)+/, "")}`).slice(1);
}
