import type { TestCounts } from "@whence/protocol";

// biome-ignore lint/suspicious/noControlCharactersInRegex: colors of a terminal begin with one
const colors = /\u001b\[[\d;]*m/g;
/** Lines that sum up tests: of Vitest and Jest, and of pytest. Longer ones are of something else. */
const summaries = [
  /^[ \t]{0,40}Tests:?[ \t]{1,40}(.{1,300})$/gm,
  /^={0,200}[ \t]?((?:\d{1,9} \w{1,20}, ){0,12}\d{1,9} \w{1,20}) in [\d.]{1,20}s\b.{0,200}$/gm,
];
/** Lines of `node:test` and tape, and of Mocha. */
const passing = /^(?:[ℹ#] pass {1,2}(\d{1,9})|[ \t]{1,40}(\d{1,9}) passing\b.{0,200})$/gm;
const failing = /^(?:[ℹ#] fail {1,2}(\d{1,9})|[ \t]{1,40}(\d{1,9}) failing\b.{0,200})$/gm;
/** How Python's `unittest` ends. */
const ran = /^Ran (\d{1,9}) tests? in [\d.]{1,20}s\s{1,8}(?:OK|FAILED)(.{0,200})$/gm;
/** How uvu ends. */
const uvu = /^[ \t]{1,40}Total:[ \t]{1,40}(\d{1,9})\n[ \t]{1,40}Passed:[ \t]{1,40}(\d{1,9})$/gm;
/** How AVA ends. It doesn't sum up the tests that passed when another failed, but has a line for each. */
const ava = /^[ \t]{1,40}(\d{1,9}) tests? (passed|failed)$/gm;
const avaPassed = /^[ \t]{1,40}✔ /gm;

/** Returns how many tests passed and failed by the summaries in a test run's output; null where there is none. */
export function testCountsIn(output: string): TestCounts | null {
  const text = output.replace(colors, "");
  const counts: TestCounts[] = [];
  for (const summary of summaries)
    for (const [, said = ""] of text.matchAll(summary))
      if (/\d (?:passed|failed|errors?)\b/.test(said))
        counts.push({ passed: sum(said, /(\d{1,9}) passed/g), failed: sum(said, /(\d{1,9}) (?:failed|errors?)/g) });
  const own = { passed: sum(text, passing), failed: sum(text, failing) };
  if (own.passed + own.failed > 0) counts.push(own);
  for (const [, all = "", how = ""] of text.matchAll(ran)) {
    const failed = sum(how, /(?:(?<!expected )failures|errors|unexpected successes)=(\d{1,9})/g);
    const skipped = sum(how, /skipped=(\d{1,9})/g);
    counts.push({ passed: Math.max(0, Number(all) - failed - skipped), failed });
  }
  for (const [, all = "", passed = ""] of text.matchAll(uvu))
    counts.push({ passed: Number(passed), failed: Number(all) - Number(passed) });
  for (const [, count = "", how] of text.matchAll(ava))
    counts.push(
      how === "passed"
        ? { passed: Number(count), failed: 0 }
        : { passed: [...text.matchAll(avaPassed)].length, failed: Number(count) },
    );
  if (counts.length === 0) return null;
  return counts.reduce((left, right) => ({ passed: left.passed + right.passed, failed: left.failed + right.failed }));
}

function sum(text: string, numbers: RegExp): number {
  return [...text.matchAll(numbers)].reduce((total, [, one, other]) => total + Number(one ?? other), 0);
}
