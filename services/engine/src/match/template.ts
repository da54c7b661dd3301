/**
 * Words that a message must hold, with gaps: `{name}` takes a part of a line and names it, `{NAME}` only a name in
 * capitals, `*` any part of a line or nothing; `^` at the start and `$` at the end stand for those of a line. Capitals
 * do not count, and words match whole ones unless a gap is beside them.
 */
export interface Template {
  /** The gap before the first words, which takes the word there, or all of the line with `^`. */
  readonly lead: Gap | null;
  /** In small letters, as all words are. */
  readonly first: string;
  readonly rest: readonly { readonly gap: Gap; readonly words: string }[];
  /** The gap behind the last words, which takes the word there, or the rest of the line with `$`. */
  readonly tail: Gap | null;
  readonly atLineStart: boolean;
  readonly atLineEnd: boolean;
}

/** What a gap takes is kept under its name; a gap without one keeps nothing and may take nothing. */
export interface Gap {
  readonly name: string | null;
}

/** Reads a template; throws when it has no words, or two gaps without words between them. */
export function parseTemplate(text: string): Template {
  const atLineStart = text.startsWith("^");
  const atLineEnd = text.endsWith("$");
  const body = text.slice(atLineStart ? 1 : 0, atLineEnd ? -1 : undefined);
  // Words stand at even places, gaps at odd ones.
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
  if (first === "" || later.includes("")) throw new RangeError(`no words beside the gaps of the template ${text}`);
  const rest = later.flatMap((one, index) => {
    const gap = gaps[index];
    return gap ? [{ gap, words: one }] : [];
  });
  return { lead, first, rest, tail, atLineStart, atLineEnd };
}

/** ASCII letters small, everything else as it is, so that places stay where they are. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}

/** A word in small letters that stands in every text which the template matches, the longest; null when none does. */
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
