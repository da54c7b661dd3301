import type { ParsedException } from "../findings/parsed-error.ts";
import { printedLine } from "../findings/printed-code.ts";

/** The types of errors that V8 throws: in a constructor, they come from its own code. */
const thrownByRuntime = /^(?:Type|Range|Reference|Syntax|URI|Eval)Error$/;
const construction = /^new (?:[\w$]+\.)*[\w$]*(?:Error|Exception)$/;

/**
 * Leaves out the calls that only built an error: JavaScript prints `new PatchError` on top of the stack of an error that
 * captured it in its constructor, and the line there as the one that threw.
 */
export function withoutConstruction(thrown: ParsedException): ParsedException {
  const { frames, throwSite: site } = thrown;
  const thrower = frames.findIndex(({ function: name }) => name === null || !construction.test(name));
  if (thrower < 1 || hasThrown(thrown)) return thrown;
  const isBuilt = frames.slice(0, thrower).some(({ file, line }) => file === site?.file && line === site?.line);
  return { ...thrown, frames: frames.slice(thrower), throwSite: isBuilt ? null : site };
}

/** Whether the constructor on top of the stack threw the error, instead of building it. */
function hasThrown(thrown: ParsedException): boolean {
  const { type, properties, frames } = thrown;
  const [first] = frames;
  // Only an error of Node.js itself has a type of V8's and a code.
  if (thrownByRuntime.test(type)) return properties.code === undefined;
  return first !== undefined && /\bthrow\b/.test(printedLine(first, thrown) ?? "");
}
