import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import type { SecretLintRuleContext, SecretLintSourceCode } from "@secretlint/types";
import { credentialsIn } from "@whence/protocol";
import { type Span, spansOf } from "./span.ts";

/**
 * Rules of the preset that don't run: two report a whole URL, though
 * only its password is secret; one reads files;
 * and one turns the others off wherever the text says `secretlint-disable`.
 */
const rulesLeftOut: ReadonlySet<string> = new Set([
  "@secretlint/secretlint-rule-basicauth",
  "@secretlint/secretlint-rule-database-connection-string",
  "@secretlint/secretlint-rule-gcp",
  "@secretlint/secretlint-rule-filter-comments",
]);

/** Display names of providers, by rule. A provider that isn't listed has the name of its rule. */
const providerNames: Readonly<Record<string, string>> = {
  "1password": "1Password",
  aws: "AWS",
  github: "GitHub",
  gitlab: "GitLab",
  huggingface: "Hugging Face",
  npm: "npm",
  openai: "OpenAI",
  sendgrid: "SendGrid",
};

/** The parts of a signed link to a file that grant access to it (AWS, Google Cloud, Azure). */
const signature =
  /(?<=[?&;](?:X-Amz-(?:Signature|Credential)|X-Goog-(?:Signature|Credential)|sig)=)[\w%+/.=-]{16,512}/gi;

/**
 * Returns the credentials whose form gives them away: those that @whence/protocol knows, those of the providers that
 * secretlint's preset knows, and signatures of links to files.
 */
export function providerTokens(text: string): Span[] {
  const known = credentialsIn(text).map(({ kind, start, end }) => ({ kind: labelOf(kind), start, end }));
  return [...known, ...tokensOfPreset(text), ...spansOf(text, "signature", signature)];
}

function labelOf(kind: string): string {
  if (kind.startsWith("an assigned credential")) return "secret";
  if (kind.startsWith("a password")) return "password";
  return kind.replace(/^an? /, "");
}

function tokensOfPreset(text: string): Span[] {
  const found: Span[] = [];
  const source = sourceOf(text);
  for (const rule of rules) {
    if (rulesLeftOut.has(rule.meta.id)) continue;
    const provider = rule.meta.id.slice("@secretlint/secretlint-rule-".length);
    const kind = provider === "privatekey" ? "private key" : `${providerNames[provider] ?? provider} token`;
    const report: SecretLintRuleContext["report"] = ({ range: [start, end] }) => found.push({ kind, start, end });
    rule.create(contextOf(report), {}).file?.(source);
  }
  return found;
}

function contextOf(report: SecretLintRuleContext["report"]): SecretLintRuleContext {
  return {
    sharedOptions: {},
    createTranslator: () => (id) => ({ message: String(id), messageId: String(id), data: undefined }),
    report,
    ignore: () => undefined,
  };
}

/** The text in the rules' form, without a path, so that no rule reads a file. */
function sourceOf(content: string): SecretLintSourceCode {
  const noPlaces = (): never => {
    throw new Error("Rules of secretlint that ask for lines aren't run.");
  };
  return {
    hasBOM: false,
    content,
    filePath: undefined,
    physicalFilePath: undefined,
    contentType: "text",
    ext: ".txt",
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: noPlaces,
    rangeToLocation: noPlaces,
    positionToIndex: noPlaces,
    indexToPosition: noPlaces,
  };
}
