import { describe, expect, it } from "vitest";
import { loadSignatures } from "../../src/match/load-signatures.ts";
import { matchSignatures } from "../../src/match/match.ts";
import { describeMatch, placeholdersIn, type SignatureEntry, type Variant } from "../../src/match/signature.ts";
import { parseTemplate, requiredWord } from "../../src/match/template.ts";
import { parseText } from "../../src/parse/parse.ts";
import type { Language } from "../../src/source/languages/languages.ts";
import { investigated, textSubject } from "../investigated.ts";

const families = [...loadSignatures()];
const signatures = families.flatMap(([, members]) => members);
const allTexts = signatures.flatMap((entry) =>
  textsOf(entry)
    .flat()
    .map(({ text }) => text),
);
const reportedSamplesPerFamily = 5;
const meaningWordsMax = 25;

/** Settings, calls, and tools that only one language's runtime or libraries have. */
const ownTerms: readonly (readonly [Language, RegExp])[] = [
  [
    "javascript",
    /\bNODE_[A-Z]|--max-old-space|--max-http-header|--dns-result|import\.meta|await using|stream\.pipeline|`error` event|RetryAgent|keepAliveTimeout|AbortSignal|recursive: true|maxRetriesPerRequest|createSsl|maxPayload|express\.|bodyLimit|\.replace\(|URL\.canParse|ssl\.ca|`ssl: false`|retryMode|JSON\.parse|heapUsed|readyState|pingInterval|no-floating|strictNull|mysql2|npm |node_modules|Promise\b/,
  ],
  ["jvm", /(?<!\w)-X[Xms]|JAVA_|Hikari|maxLifetime|cacerts|prepareThreshold|try-with-resources|Connector\/J/],
  ["python", /REQUESTS_CA|SQLAlchemy|pool_recycle|statement_cache_size|asyncio|sync_to_async|async def|\bpip\b/],
  ["go", /GOMEMLIMIT|GOGC|errgroup/],
];

/** The signatures that claim a sample: all that match the same error or line as the first one. */
function claimsOn(sample: string): string[] {
  const [first, ...others] = matchSignatures(parseText(sample));
  if (!first) return [];
  return [first, ...others.filter(({ exception }) => exception === first.exception)].map(
    ({ signature }) => signature.id,
  );
}

describe.each(families)("the family %s", (_, members) => {
  const samples = members.flatMap(({ id, samples: lines }) => lines.map((sample) => ({ id, sample })));

  it.each(samples)("has $id alone claim: $sample", ({ id, sample }) => {
    expect(claimsOn(sample)).toEqual([id]);
  });

  const others = members.flatMap((entry) => (entry.others ?? []).map((other) => ({ id: entry.id, other })));
  if (others.length > 0)
    it.each(others)("doesn't have $id claim: $other", ({ id, other }) => {
      expect(claimsOn(other)).not.toContain(id);
    });

  it("leaves no placeholder in a report", async () => {
    for (const { sample } of samples.slice(0, reportedSamplesPerFamily)) {
      const { report } = await investigated(textSubject(sample));
      const { evidence, ...written } = report;
      expect(placeholdersIn(JSON.stringify(written))).toEqual([]);
    }
  });
});

describe("the signatures", () => {
  it("have unique ids", () => {
    expect(new Set(signatures.map(({ id }) => id)).size).toBe(signatures.length);
  });

  it("advise overwriting an existing row only after the search for what wrote it twice", () => {
    const overwriting = signatures.filter(({ fixNow = [] }) =>
      fixNow.some(({ text }) => /upsert|on (?:conflict|duplicate)/i.test(text)),
    );
    expect(overwriting.length).toBeGreaterThan(3);
    for (const { fixNow = [] } of overwriting)
      for (const { text } of fixNow) expect(text).toMatch(/^Find what wrote .* only if both writes mean the same/);
  });

  it("take precedence only over signatures that come later", () => {
    const places = new Map(signatures.map(({ id }, place) => [id, place]));
    const backward = signatures.flatMap(({ id, over = [] }, place) =>
      over.filter((other) => (places.get(other) ?? -1) <= place).map((other) => `${id} over ${other}`),
    );
    expect(backward).toEqual([]);
  });

  it("have templates that parse, each with a word to look it up by unless a code or type does", () => {
    const wordless = signatures.filter(({ match: { message = [], beside = [], code, type } }) => {
      const words = message.map((template) => requiredWord(parseTemplate(template)));
      for (const template of beside.flat()) parseTemplate(template);
      return !code && !type && words.includes(null);
    });
    expect(wordless.map(({ id }) => id)).toEqual([]);
  });
});

describe("the texts of a signature", () => {
  it.each(signatures)("are complete however $id matches", (entry) => {
    for (const groups of waysToMatch(entry)) {
      const { meaning, confirms, rulesOut } = describeMatch(entry, groups);
      expect(meaning).not.toBe("");
      expect([confirms, rulesOut].map(Boolean)).toEqual([entry.confirms, entry.rulesOut].map(Boolean));
    }
  });

  it("use each of their variants for some match", () => {
    const unused = signatures.flatMap((entry) => {
      const ways = waysToMatch(entry);
      return textsOf(entry)
        .flatMap(([first]) => first?.text ?? [])
        .filter((text) => !ways.some((groups) => placeholdersIn(text).every((name) => name in groups)))
        .map((text) => `${entry.id}: ${text}`);
    });
    expect(unused).toEqual([]);
  });

  it("are sentences, and clauses for what confirms the failure or rules it out", () => {
    for (const { id, meaning, confirms = [], rulesOut = [], fixNow = [], prevent = [] } of signatures) {
      for (const { text: sentence } of [...meaning, ...fixNow, ...prevent]) {
        expect(sentence, id).toMatch(/^\W?[\p{Lu}`{].*[.]$/u);
        expect(sentence, id).not.toMatch(/ {2}| [,;]/);
      }
      for (const { text: clause } of [...confirms, ...rulesOut]) expect(clause, id).toMatch(/^(?!.*[.]$)[^ ].*[^ ]$/);
    }
  });

  it(`name the failure in one sentence of at most ${meaningWordsMax} words`, () => {
    for (const { text } of signatures.flatMap(({ meaning }) => meaning)) {
      expect(text).not.toMatch(/[.!?] \p{Lu}/u);
      expect(text.split(" ").length, text).toBeLessThanOrEqual(meaningWordsMax);
    }
  });

  it("hold a value between words, or as a code span of its own", () => {
    const spans = allTexts.flatMap((text) => text.match(/`[^`]*`/g) ?? []);
    expect(spans.filter((code) => placeholdersIn(code).length > 0 && !/^`\{\w+\}`$/.test(code))).toEqual([]);
    const outsideCode = allTexts.map((text) => text.replaceAll(/`[^`]*`/g, ""));
    expect(outsideCode.filter((text) => /\w\{\w+\}|\{\w+\}\w/.test(text))).toEqual([]);
  });

  it("name different observations for what confirms the failure and what rules it out", () => {
    const same = signatures.filter(({ confirms, rulesOut }) => confirms && confirms[0]?.text === rulesOut?.[0]?.text);
    expect(same).toEqual([]);
  });

  it("have both a clause for what confirms the failure and one for what rules it out, or neither", () => {
    const single = signatures.filter(({ confirms, rulesOut }) => (confirms === undefined) !== (rulesOut === undefined));
    expect(single.map(({ id }) => id)).toEqual([]);
  });

  it.each(ownTerms)("name settings and calls of %s only for its errors", (language, terms) => {
    const foreign = signatures
      .filter((entry) => entry.language !== language)
      .flatMap((entry) =>
        textsOf(entry)
          .flat()
          .filter((one) => one.language !== language && terms.test(one.text))
          .map(({ text }) => `${entry.id}: ${text}`),
      );
    expect(foreign).toEqual([]);
  });

  it("have a variant for every language, unless only one has the failure", () => {
    const without = signatures.flatMap((entry) =>
      textsOf(entry)
        .filter((variants) => variants.length > 0 && variants.every(({ language }) => language !== null))
        .map(() => entry.id),
    );
    expect(without).toEqual([]);
  });

  it("don't use words that read as translated", () => {
    const ruledOut =
      /\b(anew|whoever|nobody|in vain|heard of|told|is well|comes up|came up|any more|by itself|so that|guilty|innocent|at fault|to blame|mistake|likeliest|of which|thereof)\b/i;
    expect(allTexts.filter((text) => ruledOut.test(text))).toEqual([]);
  });
});

/** The variants of each text. */
function textsOf({
  meaning,
  confirms = [],
  rulesOut = [],
  fixNow = [],
  prevent = [],
}: SignatureEntry): (readonly Variant[])[] {
  return [meaning, confirms, rulesOut, fixNow, prevent];
}

/** The values that each way of matching provides: by code or type alone, and by each message template. */
function waysToMatch({ match: { code, message, beside = [] } }: SignatureEntry): Record<string, string>[] {
  const around = beside.flat().flatMap(placeholdersIn);
  const byMessage = (message ?? []).map((template) => [...around, ...placeholdersIn(template)]);
  const ways = code || !message ? [around, ...byMessage] : byMessage;
  // What repeats on a stack, and what emitted an error, is known whatever the message says.
  const onStacks = ways.flatMap((names) => [names, [...names, "repeated"], [...names, "emitter"]]);
  return onStacks.map((names) => Object.fromEntries(names.map((name) => [name, name])));
}
