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
 * Returns where a built file is kept in its release: by its path, where any host may serve it, or below its host, where
 * its URL names one: `static/shop.js` for `~/static/shop.js`, and `//shop.example/static/shop.js` for
 * `https://shop.example/static/shop.js`. The latter is no path of a source file, so a file of another host at the same
 * path is never read in its place.
 */
export function builtPlace(url: string): string {
  const host = /^https?:/i.test(url) ? URL.parse(url)?.host : undefined;
  return host ? `//${host}/${builtPath(url)}` : builtPath(url);
}

/** Returns the path of a built file by its place. */
export function pathInPlace(place: string): string {
  return place.startsWith("//") ? place.split("/").slice(3).join("/") : place;
}

/** Returns the place of a map as the header of a built file names it: by a URL, or a path beside the file. */
export function mapPlace(url: string, named: string): string {
  if (/^(?:https?:|~)/i.test(named)) return builtPlace(named);
  const place = builtPlace(url);
  const path = pathInPlace(place);
  return place.slice(0, place.length - path.length) + originalPath(path, named);
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
