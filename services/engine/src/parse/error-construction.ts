import type { ParsedException } from "../findings/parsed-error.ts";

type Calls = Pick<ParsedException, "type" | "frames" | "throwSite">;

/** The types of errors that V8 throws: thrown in a constructor, they are about the constructor. */
const thrownByRuntime = /^(?:Type|Range|Reference|Syntax|URI|Eval)Error$/;
const construction = /^new (?:[\w$]+\.)*[\w$]*(?:Error|Exception)$/;

/**
 * Leaves out the calls that only built an error: JavaScript prints `new PatchError` on top of the stack of an error that
 * captured it in its constructor, and the line there as the one that threw.
 */
export function withoutConstruction<Thrown extends Calls>(thrown: Thrown): Thrown {
  const { type, frames, throwSite: site } = thrown;
  const thrower = frames.findIndex(({ function: name }) => name === null || !construction.test(name));
  if (thrower < 1 || thrownByRuntime.test(type)) return thrown;
  const isBuilt = frames.slice(0, thrower).some(({ file, line }) => file === site?.file && line === site?.line);
  return { ...thrown, frames: frames.slice(thrower), throwSite: isBuilt ? null : site };
}
