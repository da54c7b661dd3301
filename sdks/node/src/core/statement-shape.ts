import { detach } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** Database systems whose statements are SQL. */
export type SqlSystem = "postgresql" | "mysql" | "sqlite";

/** Tokens by handling: those kept; comments, which are removed; values, which become a question mark. */
interface Tokens {
  readonly kept: readonly RegExp[];
  readonly comments: readonly RegExp[];
  readonly values: readonly RegExp[];
}

const word = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/;
/**
 * Some systems escape a quote with a backslash, others don't, and settings change that: this matches only what is
 * unambiguous.
 */
const text = /'(?:[^'\\]|\\\\|\\[^'\\]|'')*'(?!')/;
const quoted = /"(?:[^"\\]|\\\\|\\[^"\\]|"")*"(?!")/;
const quotedName = /"(?:[^"]|"")*"(?!")/;
const backtickName = /`(?:[^`]|``)*`(?!`)/;
const number = /(?:\d|\.\d)[\w.\u0080-\uffff]*/;
const dollarText = /\$(?<tag>(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$[\s\S]*?\$\k<tag>\$/;
/** Comments may or may not nest: this matches only those that don't. */
const block = /\/\*(?:(?!\/\*)[\s\S])*?\*\//;
const line = /--[^\n\r]*/;
/** Matches an incomplete token: its end can't be known, so everything that follows is removed. */
const open = /['"`][\s\S]*|\/\*[\s\S]*|\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$[\s\S]*/;

const tokensOf: Readonly<Record<SqlSystem, Tokens>> = {
  postgresql: {
    kept: [quotedName, /\$\d{1,5}(?![\w$])/, word],
    comments: [line, block],
    values: [text, dollarText, open, number],
  },
  mysql: {
    kept: [backtickName, word],
    comments: [/--(?=\s|$)[^\n\r]*/, /#[^\n\r]*/, block],
    values: [text, quoted, open, number],
  },
  sqlite: {
    kept: [quotedName, backtickName, /\[[^\]]*\]/, word],
    comments: [line, block],
    values: [text, open, number],
  },
};

const patterns = {
  postgresql: patternOf(tokensOf.postgresql),
  mysql: patternOf(tokensOf.mysql),
  sqlite: patternOf(tokensOf.sqlite),
};

/** A cache of shapes by statement, cleared when full. */
class RecentShapes {
  readonly #shapes = new Map<string, string>();

  get(statement: string): string | undefined {
    return this.#shapes.get(statement);
  }

  set(statement: string, shape: string): void {
    if (this.#shapes.size >= sdkLimits.statementsCachedMax) this.#shapes.clear();
    this.#shapes.set(detach(statement), shape);
  }
}

/** Programs send the same few statements repeatedly, and a lookup takes a hundredth of the time. */
const shapes = {
  postgresql: new RecentShapes(),
  mysql: new RecentShapes(),
  sqlite: new RecentShapes(),
};

/**
 * Returns a statement without values and comments: `SELECT * FROM users WHERE id = ?`. Reads only the first {@link
 * sdkLimits.statementCharactersMax} characters. Where the end of a value is ambiguous, the rest of the statement is
 * left out, so that no literal survives.
 */
export function statementShape(statement: string, system: SqlSystem): string {
  if (statement.length > sdkLimits.statementCharactersMax) return shapeOf(statement, system);
  const known = shapes[system].get(statement);
  if (known !== undefined) return known;
  const shape = shapeOf(statement, system);
  shapes[system].set(statement, shape);
  return shape;
}

function shapeOf(statement: string, system: SqlSystem): string {
  const read = statement.slice(0, sdkLimits.statementCharactersMax);
  const shape = read.replace(patterns[system], (_token, kept?: string, value?: string) =>
    value === undefined ? (kept ?? " ") : "?",
  );
  const cut = statement.length - read.length;
  return detach(cut === 0 ? shape.trim() : `${shape.trim()}… [trimmed ${cut} characters]`);
}

function patternOf({ kept, comments, values }: Tokens): RegExp {
  const any = (tokens: readonly RegExp[]): string => tokens.map(({ source }) => source).join("|");
  return new RegExp(`(${any(kept)})|(?:${any([...comments, /\s/])})+|(${any(values)})`, "g");
}
