import type { RecordedCase } from "../cases.ts";
import { Clone } from "./clone.ts";
import { type Half, type PastedCase, readPasted } from "./pasted-case.ts";
import { pastedFrames } from "./printed-frames.ts";
import { treeAt } from "./tree.ts";

/** The cases of a half whose repository was cloned. Those of development train the ranking. */
export function pastedCases(half: Half): RecordedCase[] {
  return readPasted(half).flatMap((one) => {
    const clone = Clone.of(one.repository);
    return clone === undefined ? [] : [recordedCase(one, clone)];
  });
}

function recordedCase({ language, repository, fix, lines, culprits }: PastedCase, clone: Clone): RecordedCase {
  const [first, last] = lines;
  const errorLog = clone
    .message(fix)
    .split("\n")
    .slice(first - 1, last)
    .join("\n");
  const tree = treeAt(clone, `${fix}^`, language);
  const onStack = pastedFrames(errorLog, language).some(({ file }) =>
    culprits.some((culprit) => culprit.file === tree.pathOf?.(file)),
  );
  const [truth = { file: "", function: "", line_start: 1, line_end: 1 }, ...also] = culprits;
  return {
    id: `${repository}@${fix.slice(0, 12)}`,
    ...{ corpus: "pasted", group: repository, kind: "package", language, onStack, errorLog, tree },
    isOtherVersion: false,
    truth: { ...truth, category: "", depth: onStack ? 0 : -1, keywords: [] },
    also: also.map((place) => ({ ...place, strict: true })),
  };
}
