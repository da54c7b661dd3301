import type { TestCounts } from "@whence/protocol";

// biome-ignore lint/suspicious/noControlCharactersInRegex: colors of a terminal begin with one
const colors = /\u001b\[[\d;]*m/g;
/** Lines that sum up tests: of Vitest and Jest, and of pytest. */
const summaries = [/^\s*Tests:?\s+(.*\d+ (?:passed|failed).*)$/gm, /^=*\s*((?:\d+ \w+, )*\d+ \w+) in [\d.]+s\b.*$/gm];
/** Lines of `node:test` and of Mocha. */
const passing = /^(?:[ℹ#] pass (\d+)|\s+(\d+) passing\b.*)$/gm;
const failing = /^(?:[ℹ#] fail (\d+)|\s+(\d+) failing\b.*)$/gm;
/** How Python's `unittest` ends. */
const ran = /^Ran (\d+) tests? in [\d.]+s\s+(?:OK|FAILED)(.*)$/gm;

/** Returns how many tests passed and failed by the summaries in a test run's output; null where there is none. */
export function testCountsIn(output: string): TestCounts | null {
  const text = output.replace(colors, "");
  const counts: TestCounts[] = [];
  for (const summary of summaries)
    for (const [, said = ""] of text.matchAll(summary))
      if (/\d+ (?:passed|failed|errors?)\b/.test(said))
        counts.push({ passed: sum(said, /(\d+) passed/g), failed: sum(said, /(\d+) (?:failed|errors?)/g) });
  const own = { passed: sum(text, passing), failed: sum(text, failing) };
  if (own.passed + own.failed > 0) counts.push(own);
  for (const [, all = "", how = ""] of text.matchAll(ran)) {
    const failed = sum(how, /(?:failures|errors)=(\d+)/g);
    const skipped = sum(how, /skipped=(\d+)/g);
    counts.push({ passed: Math.max(0, Number(all) - failed - skipped), failed });
  }
  if (counts.length === 0) return null;
  return counts.reduce((left, right) => ({ passed: left.passed + right.passed, failed: left.failed + right.failed }));
}

function sum(text: string, numbers: RegExp): number {
  return [...text.matchAll(numbers)].reduce((total, [, one, other]) => total + Number(one ?? other), 0);
}
