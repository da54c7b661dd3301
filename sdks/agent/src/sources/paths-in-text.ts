import { codeExtensions } from "@whence/protocol";

/** Only such files are sent without being named by the user. */
const extensions = codeExtensions.join("|");

const named = new RegExp(`^(.*?[^/.]\\.(?:${extensions}))(?=$|[:?#(),])`, "i");
const code = new RegExp(`[^/.]\\.(?:${extensions})$`, "i");
const pathsMax = 200;
const tokenLengthMax = 1_024;

/**
 * Returns the paths of source files in an error text, in order of first mention, without line numbers, and with the
 * folders of a Java class. Linear in the length of the text.
 */
export function pathsInText(text: string): string[] {
  const found = new Set<string>();
  for (const line of text.split("\n")) {
    for (const path of pathsInLine(line)) {
      found.add(path);
      if (found.size >= pathsMax) return [...found];
    }
  }
  return [...found];
}

/** Whether a file holds code, judging by its name, rather than settings, keys, or certificates. */
export function isCode(path: string): boolean {
  return code.test(path);
}

function pathsInLine(line: string): string[] {
  // Python quotes its paths, which may contain spaces, so those come first.
  const quoted = line.split('"').filter((_, index) => index % 2 === 1);
  const words = line.split(/[\s"'`<>|=()[\]{}]+/);
  const paths = [...quoted, ...words].flatMap((word) => {
    if (word.length > tokenLengthMax) return [];
    const path = named.exec(word.replaceAll("\\", "/"))?.[1];
    return path === undefined ? [] : [withoutScheme(path)];
  });
  const packaged = inPackage(line);
  return packaged === null ? paths : [packaged, ...paths];
}

/**
 * Strips the scheme of `webpack:///./src/a.ts`, `webpack-internal:///(rsc)/./src/a.ts`, `file:///work/a.ts`,
 * `https://host/a.js`.
 */
function withoutScheme(path: string): string {
  const scheme = /^[a-z][a-z0-9+.-]+:\/\/(?:[^/]*\/)?/i.exec(path);
  if (!scheme) return path;
  return scheme[0].toLowerCase().startsWith("file:")
    ? `/${path.slice(scheme[0].length)}`
    : path.slice(scheme[0].length);
}

/** Returns the path of a Java file in its package's folders, from `at com.acme.shop.Cart.total(Cart.java:10)`. */
function inPackage(line: string): string | null {
  const open = line.indexOf("(");
  const file = /^\(([A-Za-z_$][\w$]*\.(?:java|kt|scala|groovy))[:)]/.exec(line.slice(open, open + 200))?.[1];
  const qualified = line.slice(0, open).trim().split(/\s+/).at(-1)?.split("/").at(-1);
  if (file === undefined || qualified === undefined) return null;
  // The last two are the class and its method.
  const folders = qualified.split(".").slice(0, -2);
  return [...folders, file].join("/");
}
