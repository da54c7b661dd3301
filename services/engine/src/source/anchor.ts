import type { ParsedFrame } from "../findings/parsed-error.ts";

/**
 * Returns whether a text can be the file of a frame in an installed package: it contains the printed function. The base
 * name alone isn't enough.
 */
export function isAnchored(
  { name, text }: { readonly name: string; readonly text: string },
  { function: printed }: ParsedFrame,
): boolean {
  const own = writtenName(printed ?? "");
  if (!/^[\w$?!]+$/.test(own)) return name.includes("/");
  return new RegExp(`(?<![\\w$])${own.replace(/[$?]/g, "\\$&")}(?![\\w$])`).test(text);
}

/** Shorter lines, such as `return None`, are in many files. */
const tellingUnitsMin = 16;

/** Returns whether a printed line of code is distinctive: few files have it. */
export function isTelling(code: string | undefined): code is string {
  return code !== undefined && code.length >= tellingUnitsMin;
}

/** Returns whether a text has the distinctive line of code that the runtime printed for a frame. */
export function hasPrintedCode(text: string, { code }: ParsedFrame): boolean {
  return isTelling(code) && text.split("\n").some((line) => line.trim() === code);
}

/** Names that compilers give to functions without one: Go's closures, and what lets Java's nested classes in. */
const compilerNames = /\.func\d+(?:\.\d+)*$|^access\$\d+$/;

/** Returns a function's own name in its code: `start` for `Server.lambda$start$0` and `cart.(*Cart).start.func1`. */
function writtenName(printed: string): string {
  const named =
    printed
      .replace(compilerNames, "")
      .split(/[.#:\s]/)
      .at(-1) ?? "";
  if (compilerNames.test(named)) return "";
  return /^lambda\$(.+)\$\d+$/.exec(named)?.[1] ?? named;
}

/** Returns `get` for `Request.get`, `Request.get [as handler]`, and `Request#get`, and null for `Object.<anonymous>`. */
export function lastName(printed: string | null): string | null {
  const last =
    printed
      ?.replace(/\s*\[as [^\]]*\]$/, "")
      // The name of a private method of JavaScript begins with `#`.
      .split(/[.\s]|(?<=\w)#/)
      .at(-1) ?? null;
  return last === null || last.startsWith("<") ? null : last;
}
