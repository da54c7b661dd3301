import type { Clue, Findings } from "../findings.ts";

/** Whether a file is an installed package's. */
export function isInstalledFile(file: string): boolean {
  return installed.test(`/${file}`);
}

const installed = /\/(?:node_modules|site-packages|dist-packages|pkg\/mod|gems)\//;

/** The package that a file belongs to; empty for the user's own. */
export function packageOf(file: string): string {
  return /^.*(?:node_modules|site-packages|dist-packages|pkg\/mod|gems)\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? "";
}

/** Whether the trail of the value leads out of the file in which it was missed. */
export function cameFromElsewhere(site: Clue, { clues }: Findings): boolean {
  return clues.some(
    ({ how, isEnd, steps, place }) => how !== null && isEnd && steps > 2 && place.file !== site.place.file,
  );
}
