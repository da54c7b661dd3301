/** Control characters except line breaks and tabs, and those that are invisible or change the text direction. */
const disturbing = /[^\P{Cc}\t\n\r]|[\p{Cf}\p{Co}\p{Cs}]/gu;

/**
 * Words, numbers, times, and percentages, which mean nothing in Markdown; a number after a hyphen names an issue at a
 * vendor.
 */
const plainWord = /^(?:[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*|\d[\d.,:-]*[\p{L}]{0,2}%?|[^\p{ASCII}\p{Z}\p{C}]+)$/u;
/** Brackets and quotes before a word, the word, and the punctuation after it. */
const wordParts = /^([("']*)(.*?)([.,;:?!)"'…]*)$/su;
/** A sign on its own between words. */
const sign = /^[-+=/&%]$/;
/** The start of a numbered list. */
const numbering = /^\d+[.)]/;

/** Removes invisible characters from outside text, and keeps its lines. */
export function plainCharacters(text: string): string {
  return text.toWellFormed().replaceAll(disturbing, "");
}

/**
 * Formats outside text as one line of Markdown. Anything but plain words is put in a code span, where vendors recognize
 * no mention, issue, commit, label, command, or URL. A backslash wouldn't prevent that, because they search for them
 * after rendering Markdown.
 */
export function textAsMarkdown(text: string): string {
  const words = plainCharacters(text)
    .split(/\s+/)
    .filter((word) => word !== "")
    .map(readWord);
  const line = joinedCode(words).map(wordAsMarkdown).join(" ");
  return line.replace(numbering, (marker) => `${marker.slice(0, -1)}\\${marker.slice(-1)}`);
}

interface Word {
  /** Brackets and quotes that stay outside a code span. */
  readonly before: string;
  readonly inside: string;
  readonly after: string;
  readonly kind: "plain" | "sign" | "code";
}

function readWord(word: string): Word {
  const [, before = "", core = "", rest = ""] = wordParts.exec(word) ?? [];
  // `stop()` keeps the parentheses that it opened.
  const opened = core.split("(").length - core.split(")").length;
  const closing = Math.max(0, Math.min(opened, /^\)*/.exec(rest)?.[0].length ?? 0));
  const [inside, after] = [core + rest.slice(0, closing), rest.slice(closing)];
  const kind = inside === "" || plainWord.test(inside) ? "plain" : sign.test(inside) ? "sign" : "code";
  return { before, inside, after, kind };
}

/** Joins adjacent code into one piece: `document.tenant !== owner.tenant`. */
function joinedCode(words: readonly Word[]): Word[] {
  const joined: Word[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (last?.kind === "code" && word.kind === "code" && last.after === "" && word.before === "") {
      joined[joined.length - 1] = { ...last, inside: `${last.inside} ${word.inside}`, after: word.after };
    } else joined.push(word);
  }
  return joined;
}

function wordAsMarkdown({ before, inside, after, kind }: Word): string {
  return `${before}${kind === "code" ? codeSpan(inside) : kind === "sign" ? `\\${inside}` : inside}${after}`;
}

/** Formats a code span that its text can't end. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${space}${text}${space}${fence}`;
}
