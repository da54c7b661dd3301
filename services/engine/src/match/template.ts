/**
 * Words that a message must contain, with gaps between them. `{name}` takes a part of a line and names it, `{NAME}`
 * takes only a name in capitals, and `*` takes any part of a line or nothing. `^` at the start and `$` at the end stand
 * for the start and end of a line. Case is ignored, and only whole words match unless a gap is next to them.
 */
export interface Template {
  /** The gap before the first words, which takes one word, or with `^` the line up to there. */
  readonly lead: Gap | null;
  /** In lowercase, like all words of a template. */
  readonly first: string;
  readonly rest: readonly { readonly gap: Gap; readonly words: string }[];
  /** The gap after the last words, which takes one word, or with `$` the rest of the line. */
  readonly tail: Gap | null;
  readonly atLineStart: boolean;
  readonly atLineEnd: boolean;
}

/** A gap keeps what it takes under its name; one without a name keeps nothing and may be empty. */
export interface Gap {
  readonly name: string | null;
}

/** Parses a template. Throws a RangeError if it has no words, or two gaps with no words between them. */
export function parseTemplate(text: string): Template {
  const atLineStart = text.startsWith("^");
  const atLineEnd = text.endsWith("$");
  const body = text.slice(atLineStart ? 1 : 0, atLineEnd ? -1 : undefined);
  // Words are at even indexes, gaps at odd ones.
  const parts = body.split(/(\{\w+\}|\*)/);
  const words = parts.filter((_, index) => index % 2 === 0).map(foldCase);
  const gaps = parts
    .filter((_, index) => index % 2 === 1)
    .map((part) => ({ name: part === "*" ? null : part.slice(1, -1) }));
  const lead = words[0] === "" ? (gaps.shift() ?? null) : null;
  if (lead) words.shift();
  const tail = words.at(-1) === "" ? (gaps.pop() ?? null) : null;
  if (tail) words.pop();
  const [first = "", ...later] = words;
  if (first === "" || later.includes(""))
    throw new RangeError(`The template ${JSON.stringify(text)} has no words, or two gaps with no words between them.`);
  const rest = later.flatMap((one, index) => {
    const gap = gaps[index];
    return gap ? [{ gap, words: one }] : [];
  });
  return { lead, first, rest, tail, atLineStart, atLineEnd };
}

/** Lowercases ASCII letters only, so that positions in the text stay the same. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}

/** Returns the longest lowercase word that every matching text contains; null if there is none. */
export function requiredWord({ lead, first, rest, tail }: Template): string | null {
  const all = [first, ...rest.map(({ words }) => words)];
  const whole = all.flatMap((words, index) => {
    const isOpenBefore = index > 0 || lead !== null;
    const isOpenAfter = index < all.length - 1 || tail !== null;
    return [...words.matchAll(/[a-z0-9_]+/g)]
      .filter(
        ({ 0: word, index: at }) => !(isOpenBefore && at === 0) && !(isOpenAfter && at + word.length === words.length),
      )
      .map(([word]) => word);
  });
  return whole.toSorted((left, right) => right.length - left.length)[0] ?? null;
}
