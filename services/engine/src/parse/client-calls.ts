import type { ParsedFrame } from "../findings/parsed-error.ts";

/** Where Whence's own clients are installed. */
const clientFile = /(?:^|\/)(?:node_modules\/@whence\/node|(?:site|dist)-packages\/whence)\//;

/**
 * Leaves out the calls of Whence's own client, which wraps some of the program's calls and so is on their stacks. A
 * stack that has nothing else stays as it is.
 */
export function withoutClientCalls(frames: readonly ParsedFrame[]): readonly ParsedFrame[] {
  const others = frames.filter(({ file }) => file === null || !clientFile.test(file));
  return others.length === 0 ? frames : others;
}
