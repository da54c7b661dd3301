import { describe, expect, it } from "vitest";
import { readRepositoryFile, repositoryFiles } from "./repository-files.ts";

/** Words and phrases that make a sentence sound translated. */
const ruledOutWords = ["anew", "whoever", "nobody", "guilty", "innocent", "likeliest", "thereof"];
const ruledOutPhrases = [
  ...["in vain", "at fault", "to blame", "any more", "by itself", "a mistake of", "is no longer explained"],
  ...["heard of", "told of", "tells of", "told no", "is told", "are told", "comes up", "came up"],
];

/** Files whose words are data: written by others, recorded, or lists of words such as this one. */
const exceptions: readonly RegExp[] = [
  /^CODE_OF_CONDUCT\.md$/, // the Contributor Covenant, verbatim
  /(^|\/)CHANGELOG\.md$/, // generated from changesets
  /(^|\/)(fixtures|corpora)\//, // recorded code, logs, and messages
  /^bench\/rca\/mutate\/services\//, // programs that recorded mutants were made from
  /^(test\/voice|services\/engine\/test\/match\/load-signatures|services\/engine\/test\/report\/messages\.en)\.test\.ts$/,
];

/** The Unix account, which is always in quotes. */
const account = /(["'`])nobody\1/g;

/** The separators within a phrase, including the comment marks after a line break. */
const separator = String.raw`(?:\s|\s\*|\s//|\s#)+`;
const phrase = (text: string): string => text.replaceAll(" ", separator);
const capitalized = (word: string): string => word.replace(/^./, (letter) => letter.toUpperCase());
const ruledOut: readonly RegExp[] = [
  new RegExp(`(?<![a-z])(?:${ruledOutWords.join("|")})(?![a-z])`, "gi"),
  new RegExp(`(?<![a-z])(?:${ruledOutWords.join("|")})(?=[A-Z])`, "g"),
  new RegExp(`(?<=[a-z0-9])(?:${ruledOutWords.map(capitalized).join("|")})(?![a-z])`, "g"),
  new RegExp(String.raw`\b(?:${ruledOutPhrases.map(phrase).join("|")})\b`, "gi"),
  // "Of which organization?" is a question.
  new RegExp(String.raw`\b${phrase("of which")}\b(?![^.\n]*\?)`, "gi"),
];

function matchesIn(text: string): { line: number; words: string }[] {
  const searched = text.replace(account, (quoted) => "-".repeat(quoted.length));
  const found = ruledOut.flatMap((pattern) => [...searched.matchAll(pattern)]);
  return found.map(({ 0: words, index }) => ({
    line: searched.slice(0, index).split("\n").length,
    words: words.replaceAll(/[\s*/#]+/g, " "),
  }));
}

const written = repositoryFiles("**/*.{ts,tsx,mts,cts,mjs,cjs,js,md,html,css,json,yaml,yml,sh,py}", ".changeset/*.md");

describe("the repository", () => {
  it("uses no word that voice.md rules out", () => {
    const found = written
      .filter((file) => !exceptions.some((exception) => exception.test(file)))
      .flatMap((file) => matchesIn(readRepositoryFile(file)).map(({ line, words }) => `${file}:${line}: ${words}`));
    expect(found).toEqual([]);
  });
});

describe("a ruled-out word or phrase", () => {
  it.each([
    ["a word of a sentence", "// Nobody listens.", "Nobody"],
    ["a name in camel case", "const isGuilty = true;", "Guilty"],
    ["the start of a name", "const guiltyLine = 1;", "guilty"],
    ["a part of an identifier", "key: 'whk_nobody_1'", "nobody"],
    ["a phrase on one line", "It starts by itself.", "by itself"],
    ["a phrase over two lines of a comment", "/**\n * It starts by\n * itself.\n */", "by itself"],
    ["a clause", "a file of which the name is known", "of which"],
  ])("is found as %s", (_, text, words) => {
    expect(matchesIn(text).map((match) => match.words)).toContain(words);
  });

  it.each(["run as the user `nobody`", "Of which organization?", "a renewal", "it tells offline"])(
    "isn't found in: %s",
    (text) => {
      expect(matchesIn(text)).toEqual([]);
    },
  );
});
