import { packageOf } from "./installed-package.ts";
import { PathIndex } from "./path-index.ts";
import { isManifest } from "./project-names.ts";
import { isTestOnStack } from "./test-file.ts";

/** Returns whether a printed path is in a project's given code, apart from its tests and installed packages. */
export function inGivenCode(names: readonly string[]): (printed: string) => boolean {
  const code = names.filter((name) => packageOf(name) === "" && !isManifest(name) && !isTestOnStack(name));
  const index = new PathIndex(code);
  return (printed) => index.find(printed) !== null;
}
