import type { ParsedError, ParsedException, Signature, SignatureMatch } from "../findings.ts";
import { signatures } from "./families.ts";

/** Messages are matched up to here: what tells stands at the beginning. */
const messageUnitsMax = 4_000;

/**
 * The known failures that the error matches, the innermost cause's first, each signature once. A text without an error
 * in it is matched by its headline.
 */
export function matchSignatures(error: ParsedError): SignatureMatch[] {
  const chain = error.chain.flatMap((index) => {
    const exception = error.exceptions[index];
    return exception ? [{ index, exception }] : [];
  });
  const found = chain.reverse().flatMap(({ index, exception }) => matchException(exception, index));
  const matches = found.length > 0 ? found : matchText(error.headline);
  return matches.filter((match, index) => matches.findIndex((other) => other.signature === match.signature) === index);
}

function matchException(exception: ParsedException, index: number): SignatureMatch[] {
  const code = exception.properties.code;
  const subject = { type: exception.type, code: typeof code === "string" ? code : null, message: exception.message };
  return signatures.flatMap((signature) => matchOne(signature, subject, index) ?? []);
}

function matchText(headline: string): SignatureMatch[] {
  // A type alone cannot be told in a text.
  const readable = signatures.filter(({ match }) => match.code !== undefined || match.message !== undefined);
  return readable.flatMap((signature) => matchOne(signature, { type: "", code: null, message: headline }, null) ?? []);
}

interface Subject {
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
}

function matchOne(signature: Signature, subject: Subject, exception: number | null): SignatureMatch | null {
  const { type, code, message } = signature.match;
  if (type && exception !== null && !type.includes(subject.type)) return null;
  const text = subject.message.slice(0, messageUnitsMax);
  // Many wrap an errno into a message and drop the property; a code is a word that means one thing.
  const spelled = code?.find((one) => one === subject.code || spells(text, one));
  if (code && spelled === undefined) return null;
  const found = message?.exec(text);
  if (message && !found) return null;
  return { signature, exception, matched: spelled ?? found?.[0] ?? subject.type, groups: { ...found?.groups } };
}

function spells(text: string, code: string): boolean {
  const at = text.indexOf(code);
  return at >= 0 && !/\w/.test(text[at - 1] ?? "") && !/\w/.test(text[at + code.length] ?? "");
}
