import type { Draft } from "../draft.ts";
import type { ReadableLine } from "../readable-line.ts";
import { failedGoTest } from "./go-test.ts";

/** A title that a test runner prints above an error that its own format reads. */
interface Title {
  readonly name: string;
  /** The index of its last line. */
  readonly last: number;
}

/** `  1) cart`, above the lines of mocha with the names of groups and the test; the last ends in a colon. Cypress doesn't indent them. */
const mocha = /^ {0,8}\d{1,6}\) (\S.{0,300})$/;
/** `✖ adds tax (1.24ms)` of node:test. */
const nodeTest = /^\s{0,40}✖ (\S.{0,300}) \(\d{1,9}(?:\.\d{1,9})?ms\)$/;
/** `[ERROR] shop.CartTest.addsTax -- Time elapsed: 0.005 s <<< FAILURE!` of Surefire. */
const surefire = /^(?:\[ERROR\] )?(\S{1,300}) .{0,80}<<< (?:FAILURE|ERROR)!$/;
/** `ERROR: test_tax (tests.test_cart.CartTest.test_tax) [message] (rate=2)` of unittest and nose: a test or a subtest. */
const unittest =
  /^(?:ERROR|FAIL): (?!(?:setUp|tearDown)(?:Class|Module) )([\w.]{1,200} \([\w.]{1,300}\))(?: \[.{1,200}\])?(?: \(.{1,200}\))?$/;
/** Titles of Deno, which names files by their place below its own, and Cargo. */
const others: readonly RegExp[] = [
  /^(\S.{0,300}) => \.\/\S{1,300}\.[cm]?[jt]sx?:\d{1,9}:\d{1,9}$/,
  /^---- (\S{1,300}) stdout ----$/,
];
const gradle = /^(\S.{0,200} > \S.{0,300}) FAILED$/;
/** What Bun prints below an error. */
const below = /^(?:✗|\(fail\)) (\S.{0,300}?)( \[\d{1,9}(?:\.\d{1,9})?m?s\])?$/;
/** Lines that only these runners print; a log may have the words of their titles. */
const runsGradle = /^(?:> Task :\S|\d{1,6} tests? completed\b)/;
const runsBun = /^\s{0,8}\d{1,6} fail$/;
const runsMocha = /^\s{0,8}\d{1,6} failing$/;
/** What they print above it; a log may have the same words. */
const unittestDivider = /^={60,80}$/;
/** Maximum number of lines of a title of mocha, and of lines between a title and its error. */
const titleLinesMax = 12;
const linesBetweenMax = 2;

/** Names the tests in which errors occurred, by the titles right above the errors. */
export function nameTests(drafts: readonly Draft[], lines: readonly ReadableLine[]): void {
  const unnamed = drafts.filter(({ parent, properties }) => parent === null && properties.test === undefined);
  if (unnamed.length === 0) return;
  const titles = titlesIn(lines);
  for (const draft of titles.length === 0 ? [] : unnamed) {
    const at = lines.findIndex(({ printed }) => printed.end > draft.printed.start);
    const title = titles.findLast(({ last }) => last < at && at - last - 1 <= linesBetweenMax);
    if (title) draft.properties = { test: title.name, ...draft.properties };
  }
  nameByLineBelow(unnamed, lines);
}

function nameByLineBelow(drafts: readonly Draft[], lines: readonly ReadableLine[]): void {
  const isBun = lines.some(({ text }) => runsBun.test(text));
  for (const [index, { text }] of lines.entries()) {
    const [, name, duration] = below.exec(text) ?? [];
    if (name === undefined || (duration === undefined && !isBun)) continue;
    const above = lines.slice(Math.max(index - linesBetweenMax, 0), index).findLast((line) => line.text.trim() !== "");
    const draft = drafts.findLast(({ printed }) => above && printed.start < above.printed.end);
    if (draft && above && draft.printed.end >= above.printed.end && draft.properties.test === undefined)
      draft.properties = { test: name, ...draft.properties };
  }
}

function titlesIn(lines: readonly ReadableLine[]): Title[] {
  const isGradle = lines.some(({ text }) => runsGradle.test(text));
  const isMocha = lines.some(({ text }) => runsMocha.test(text));
  return lines.flatMap(({ text }, index) => {
    const ofUnittest = unittestDivider.test(lines[index - 1]?.text ?? "") ? unittest.exec(text) : null;
    const other = others.map((title) => title.exec(text)).find((found) => found !== null);
    const found =
      nodeTest.exec(text) ?? surefire.exec(text) ?? ofUnittest ?? other ?? (isGradle ? gradle.exec(text) : null);
    const name = found?.[1] ?? failedGoTest.exec(text)?.[2];
    if (name !== undefined) return [{ name, last: index }];
    const [, group] = mocha.exec(text) ?? [];
    return group === undefined || (!isMocha && /^\S/.test(text)) ? [] : titleOfMocha(lines, index, group);
  });
}

function titleOfMocha(lines: readonly ReadableLine[], first: number, group: string): Title[] {
  const names = [group];
  for (let index = first; index < first + titleLinesMax; index++) {
    const text = index === first ? group : (lines[index]?.text.trim() ?? "");
    if (index > first) names.push(text);
    if (text === "") return [];
    if (text.endsWith(":")) return [{ name: names.join(" > ").slice(0, -1), last: index }];
  }
  return [];
}
