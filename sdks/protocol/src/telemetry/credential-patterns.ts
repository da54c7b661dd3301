/** The end of a name whose value is a credential, in any case: `dbPassword`, `API_KEY`, `client_secret`. */
export const credentialName =
  "(?:passw(?:or)?d|passphrase|pwd|secret|token|(?:api|access|private|secret)[-_]?key)".replace(
    /[a-z]/g,
    (letter) => `[${letter}${letter.toUpperCase()}]`,
  );
/** The separator between such a name and its value, including quotes in JSON and a type in TypeScript. */
const assigned = String.raw`\\{0,3}["'\x60]?\s{0,8}(?::\s{0,8}string\s{0,8})?(?:={1,3}|:=?|=>)\s{0,8}`;
/**
 * A literal value: neither a reference to a credential, such as a placeholder or an environment variable, nor a masked
 * one.
 */
const literal = String.raw`(?!\$|%[sdv]|<|\{|(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|\*+)["'\x60\\@])`;

/**
 * Credentials recognizable by their form, as their issuers document them for secret scanning
 * (https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns), and
 * values recognizable by their place. A pattern matches the credential alone, in linear time.
 */
export const credentialPatterns: ReadonlyMap<string, RegExp> = new Map([
  [
    "a private key",
    /(?<=-----BEGIN (?:[A-Z]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----)(?![\s*"'`,+\\]*-----END)(?:(?:(?!-----)[\s\S]){16,8192}(?=-----END)|(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{40,})+)/,
  ],
  ["an AWS access key", /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b/],
  ["a GitLab token", /\bglpat-[\w-]{20,}\b/],
  ["a Slack token", /\bxox[abeprs]-[A-Za-z0-9-]{20,}/],
  ["a Stripe key", /\b[rs]k_live_[A-Za-z0-9]{16,}\b/],
  ["a Google API key", /\bAIza[\w-]{35}\b/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["an Anthropic key", /\bsk-ant-[\w-]{32,}\b/],
  ["an OpenAI key", /\bsk-(?:proj-)?[\w-]{40,}\b/],
  ["a SendGrid key", /\bSG\.[\w-]{22}\.[\w-]{43}\b/],
  ["a Whence key", /\bwh[kac]_[0-9A-Za-z]{49}\b/],
  ["a JSON Web Token", /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{16,}/],
  [
    "a password in a URL",
    new RegExp(String.raw`(?<=:\/\/[^\s/:@"'\x60<>]{0,255}:)${literal}(?:(?!\$\{)[^\s/@"'\x60<>\\]){1,255}(?=@)`),
  ],
  ["a password in a connection string", /(?<=[;"'](?:Password|Pwd)=)(?!\*+[;"'])[^;"'`\s(){}\\]+(?=[;"'])/],
  [
    "an assigned credential",
    new RegExp(
      String.raw`(?<=${credentialName}${assigned}(["'\x60]))(?<!\\["'\x60])${literal}(?:\\.|(?!\1|\$\{)[^\\\s])+(?=\1)`,
    ),
  ],
  [
    "an assigned credential in JSON",
    new RegExp(String.raw`(?<=${credentialName}${assigned}\\{1,3}["'])${literal}[^\\\s"'\x60]+(?=\\{1,3}["'])`),
  ],
  [
    "an assigned credential in the environment",
    /(?<=^[ \t]{0,8}(?:export )?[A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|PWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY)=)(?!%|\*+$)[^\s()[\]{}$<>;,"'\x60\\]+$/m,
  ],
]);

/** The beginning of a credential in a text that was cut there, which ends with an ellipsis. */
const begun =
  /(?:(?<![\w-])(?:eyJ|AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|[rs]k_live_|AIza|npm_|sk-|SG\.|wh[kac]_)|(?<=:\/\/[^\s/:@"'`<>]{0,255}:))[^\s"'`/…]+(?=…)/g;

/** Returns a text that was cut, and ends with an ellipsis wherever it was, with each recognized credential masked. */
export function cutWithoutCredentials(text: string): string {
  // The quotes of what was cut are missing.
  const closed = text.endsWith("…") ? `${text}"'` : text;
  return maskedBy(credentialPatterns, closed)
    .slice(0, text.length)
    .replace(begun, (credential) => mask(credential));
}

/** Matches a name whose value is a credential. */
export const credentialNamed = new RegExp(`${credentialName}$`);

/** Returns the text with what the patterns match replaced by as many asterisks, so that lines and columns stay. */
export function maskedBy(patterns: ReadonlyMap<string, RegExp>, text: string): string {
  let shown = text;
  for (const pattern of patterns.values()) {
    const every = new RegExp(pattern, `${pattern.flags}g`);
    shown = shown.replace(every, (credential) => mask(credential));
  }
  return shown;
}

/**
 * In a credential of several lines, keeps the quotes and what joins them, so that the surrounding code still parses.
 */
function mask(credential: string): string {
  if (!/\s/.test(credential)) return "*".repeat(credential.length);
  return credential.replace(/(\\+(?=["'`]))|[^\s"'`,+]/g, (_piece, escaping: string | undefined) => escaping ?? "*");
}

/** A credential that was recognized in a text. */
export interface RecognizedCredential {
  /** What it is, with its article: `a GitHub token`. */
  readonly kind: string;
  /** Its place, in UTF-16 code units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Returns every credential that is recognized in a text, by kind; those of two kinds can overlap. */
export function credentialsIn(text: string): RecognizedCredential[] {
  return [...credentialPatterns].flatMap(([kind, pattern]) =>
    [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(({ 0: { length }, index }) => ({
      kind,
      start: index,
      end: index + length,
    })),
  );
}
