import type { Location } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import { lineOf } from "../findings/located-frame.ts";
import { isTestOnStack } from "../source/test-file.ts";
import { framesInward } from "./failure.ts";
import type { Link } from "./link.ts";
import { isInstalledFrame, isInstalledPlace } from "./nouns.ts";

/**
 * Returns the call of own code that led into the installed package that a link is in. Null for a link elsewhere, or if
 * only a test called it.
 */
export function ownCaller(link: Pick<Link, "location">, findings: Findings): Location | null {
  const caller = callerOf(link, findings);
  return caller && !isTestOnStack(caller.file) ? caller : null;
}

/** Returns the call, in own code or a test, that led into the installed package that a link is in; null elsewhere. */
export function callerOf({ location }: Pick<Link, "location">, findings: Findings): Location | null {
  const { frames, files } = findings;
  if (location === null || !isInstalledPlace(location.file, frames, files)) return null;
  const inward = framesInward(findings);
  // Own code further in was called by the package.
  const outside = inward.slice(inward.findIndex(({ file }) => file === location.file) + 1);
  const own = outside.find((one) => one.frame.origin !== "runtime" && !isInstalledFrame(one, files));
  return own ? { file: own.file, line: lineOf(own), function: own.place?.function ?? own.frame.function } : null;
}
