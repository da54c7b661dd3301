import { packageOf } from "./installed-package.ts";
import { PathIndex } from "./path-index.ts";
import { isManifest } from "./project-names.ts";
import { isTestOnStack } from "./test-file.ts";

/** Returns whether a printed path is of the given code of a project, its tests and what is installed in it aside. */
export function inGivenCode(names: readonly string[]): (printed: string) => boolean {
  const code = names.filter((name) => packageOf(name) === "" && !isManifest(name) && !isTestOnStack(name));
  const index = new PathIndex(code);
  return (printed) => index.find(printed) !== null;
}
