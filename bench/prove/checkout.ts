import { existsSync, mkdirSync, renameSync, symlinkSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CorpusCase } from "../rca/corpora/corpus-case.ts";

/** Where the code with the mistake lies while its failure is proved. */
export interface Checkout {
  /** Returns the name of a file of the case in the checkout. */
  readonly nameOf: (file: string) => string;
  /** Puts the package back to where it is installed. */
  readonly remove: () => void;
}

/** The folder of the workspace with the package; Python searches it first. */
export const packagesFolder = "packages";

const installed = /^(.*(?:node_modules|site-packages)\/)((?:@[^/]+\/)?[^/]+)/;

/**
 * Lays the package with the mistake out as those have it who develop it: as a package of the application's own workspace,
 * which `node_modules` only links.
 */
export function checkOut({ truth, language }: Pick<CorpusCase, "truth" | "language">, folder: string): Checkout {
  const [from, , name = ""] = installed.exec(truth.file) ?? [];
  if (from === undefined) return { nameOf: (file) => file, remove: () => undefined };
  const own = `${packagesFolder}/${name}`;
  const [there, here] = [join(folder, from), join(folder, own)];
  mkdirSync(dirname(here), { recursive: true });
  renameSync(there, here);
  const isLinked = language !== "python";
  if (isLinked) symlinkSync(here, there);
  return {
    nameOf: (file) => (file === from || file.startsWith(`${from}/`) ? `${own}${file.slice(from.length)}` : file),
    remove: () => {
      if (isLinked && existsSync(there)) unlinkSync(there);
      renameSync(here, there);
    },
  };
}
