/** A package that a command makes a package manager fetch and run or install. */
export interface NamedPackage {
  /** The command as found. */
  readonly command: string;
  /** The package as written in the command, without quotes: a name, an address, or a file. */
  readonly name: string;
}

/** Matches commands that run the first package they name. */
const runners = String.raw`npx|bunx|uvx|pipx\s+run|(?:npm|pnpm)\S*\s+(?:x|dlx|create|init)|npm\s+exec|yarn\s+(?:dlx|create)|bun\s+(?:x|create)|uv\s+tool\s+run|go\s+run`;
/** Matches commands that install all packages they name. */
const installers = String.raw`(?:npm|pnpm|yarn|bun)(?:@\S+)?\s+(?:install|i|in|add)|pip3?\s+install|pipx\s+install|uv\s+(?:add|tool\s+install)|poetry\s+add|go\s+(?:install|get)|cargo\s+(?:install|add)|gem\s+install|deno\s+(?:install|add)|brew\s+install`;
const command = new RegExp(
  String.raw`(?<![\w/.-])(?:(?<runner>${runners})|(?:${installers}))(?=(?<rest>(?:[ \t]+[^\n]*)?))`,
  "g",
);
/**
 * Matches the program and its arguments as separate strings, as in configurations of MCP clients and calls of `spawn`.
 */
const listed = /["'](?:npx|bunx|uvx)["'],?\s*(?:["']?args["']?\s*[:=]\s*)?\[(?<args>[^\]]*)\]/g;

/** Matches the end of a command in a shell, or of the text that quotes it. */
const end = /^(?:[|;&<>#`()\]]|\\?["'](?:[,;)\]]|$)|→)/;

/**
 * Returns the packages named by commands in any text: a page, a program, a configuration. A package that pip takes from
 * another index is named by its address there.
 */
export function packagesIn(text: string): NamedPackage[] {
  const joined = text
    .replace(/\\\n\s*/g, " ")
    .replace(/--(?:filter|prefix|trusted-host)[ =]\S+/g, "")
    .replace(/--index-url[ =](\S+)\s+(?=[\w-])/g, "$1/");
  const spoken = [...joined.matchAll(command)].flatMap((match) => {
    const { runner, rest = "" } = match.groups ?? {};
    return named(match[0] + rest, wordsOf(rest), runner !== undefined);
  });
  const written = [...joined.matchAll(listed)].flatMap((match) => {
    const words = [...(match.groups?.args ?? "").matchAll(/["'`]([^"'`]*)["'`]/g)].map(([, word = ""]) => word);
    return named(match[0].replace(/\s+/g, " "), words, true);
  });
  return [...spoken, ...written];
}

function named(found: string, words: readonly string[], isRunner: boolean): NamedPackage[] {
  const [flagged, plain] = [words.flatMap(packageOption), words.filter((word) => !word.startsWith("-"))];
  const names = isRunner ? [...flagged, ...(flagged.length > 0 ? [] : plain.slice(0, 1))] : [...flagged, ...plain];
  return names.map((name) => ({ command: found, name }));
}

function packageOption(word: string): string[] {
  const name = /^(?:--package|-p)=(.+)$/.exec(word)?.[1];
  return name === undefined ? [] : [name];
}

/** Returns the words of a command up to its end. */
function wordsOf(rest: string): string[] {
  const words: string[] = [];
  for (const [word] of rest.trim().matchAll(/"\$[^"]*"|\S+/g)) {
    if (end.test(word)) break;
    const cut = /[`;|)]|["'],?$|["'][,)]/.exec(word.replace(/^"\$[^"]*"$/, ""))?.index ?? word.length;
    const bare = word.slice(0, cut).replace(/^["']|["']$/g, "");
    if (bare !== "") words.push(bare);
    if (cut < word.length) break;
  }
  return words;
}
