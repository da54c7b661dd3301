/** A word of a text in the form that a search compares. */
export interface Term {
  /** The word as written. */
  readonly written: string;
  /** The whole word in lower case, as `connection-pool.ts`. */
  readonly whole: string;
  /** Its stemmed parts: `connect`, `pool`, `ts`. */
  readonly parts: readonly string[];
  /** Whether it is a file, a host, a function, a code, or a number: rarer and more specific than a word. */
  readonly isName: boolean;
}

const word = /[\p{L}\p{N}_$#@][\p{L}\p{M}\p{N}_$#@./:'’-]*/gu;
const namePart = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+|\p{Lu}/gu;
const name = /[\d_$#@/]|[^.:]\.[^.]|\p{Ll}\p{Lu}/u;

/** Abbreviations, and spellings as one word or two. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/\b(\w+)n['’]t\b/gi, "$1 not"],
  [/\b(\w+)['’]s\b/gi, "$1 is"],
  [/\b(\w+)['’]re\b/gi, "$1 are"],
  [/\b(\w+)['’]ve\b/gi, "$1 have"],
  [/\b(\w+)['’]ll\b/gi, "$1 will"],
  [/\bca not\b/gi, "can not"],
  [/\bwo not\b/gi, "will not"],
  [/\b(roll|rolled|rolling)[ -]((?:it|this|that|them) )?back\b/gi, "rollback $2"],
  [/\bon[ -]call\b/gi, "oncall"],
  [/\bstack[ -]trace\b/gi, "stacktrace"],
  [/\btimed out\b|\btime[ -]out\b/gi, "timeout"],
  [/\bfail[ -]over\b/gi, "failover"],
  [/\bk8s\b/gi, "kubernetes"],
  [/\bdb\b/gi, "database"],
  [/\benv var(iable)?\b/gi, "environment variable"],
];

/** Returns the words of a text, in order. */
export function termsOf(text: string): Term[] {
  const spelled = spellings.reduce((changed, [from, to]) => changed.replace(from, to), text);
  return [...spelled.matchAll(word)].map(([found]) => termOf(found.replace(/[./:'’-]+$/, "")));
}

function termOf(written: string): Term {
  const whole = written.toLowerCase();
  const parts = (written.match(namePart) ?? [written]).map((part) => stem(part.toLowerCase()));
  return { written, whole, parts, isName: name.test(written) };
}

/** Removes a word's ending, so that `releasing` matches `released`. */
export function stem(lowerCase: string): string {
  if (lowerCase.length < 4 || !/^\p{L}+$/u.test(lowerCase)) return lowerCase;
  const bare = lowerCase.replace(/(?<=\p{L}{3})(?:ing|ies|ed|es|(?<!s)s)$/u, "");
  return bare.length > 3 ? bare.replace(/[ey]$/, "") : bare;
}
