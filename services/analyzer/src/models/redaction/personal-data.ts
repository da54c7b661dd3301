import { addressGuard } from "@whence/vendors";
import { type Span, spansOf } from "./span.ts";

/** An address of e-mail, as it stands in texts and in URLs. */
const email =
  /(?<![\p{L}\p{N}._+-])[\p{L}\p{N}][\p{L}\p{N}._+-]{0,63}(?:@|%40)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}[\p{L}]{2,24}(?![\p{L}\p{N}_-])/gu;
/** What looks like a top-level domain and is the end of a file's name or of a unit's. */
const fileEnding =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|scss|[cm]?[jt]sx?|json|map|html?|py|rb|java|kt|php|cs|rs|tgz|gz|zip|whl|jar|service|socket|timer|target|mount|local)$/i;
/** Users and words that are no person: remotes of Git, and labels of Kotlin. */
const noPerson = /^(?:git|hg|svn|return|this|super|break|continue|package|npm)(?:@|%40)/i;

/**
 * An international number, or one written with the brackets of North America, but no line that a patch adds: those
 * start with a plus sign.
 */
const phone = /(?<=[^\n\w+.-])(?:\+[1-9](?:[ .()-]{0,2}\d){7,14}|\(\d{3}\) ?\d{3}-\d{4})(?![\w-]|\.\d)/g;
/** A number that a name calls a phone's. */
const namedPhone =
  /(?<=\b(?:phone|mobile|telephone|tel|fax|msisdn)(?:_?number)?\\?["']?[ \t]{0,2}[:=][ \t]{0,2}\\?["']?)\+?\d(?:[ .()-]{0,2}\d){6,14}(?![\w-])/gi;

/** The numbers that issuers of cards give out, by their first digits and length (ISO/IEC 7812). */
const card =
  /(?<![\w.+-])(?:\d{4}([ -]?)\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|3[47]\d{2}([ -]?)\d{6}\2\d{5}|3[068]\d{2}([ -]?)\d{6}\3\d{4})(?![\w-]|\.\d)/g;
const issued =
  /^(?:4(?:\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3[068]\d{12}|35\d{14}|6(?:011|5\d\d|4[4-9]\d)\d{12}(?:\d{3})?|62\d{14}(?:\d{3})?)$/;

/** An account number of ISO 13616, in one piece or in groups of four. */
const iban = /(?<![\w-])[A-Z]{2}\d{2}(?:(?: ?[A-Z0-9]{4}){2,7} ?[A-Z0-9]{1,4}|(?: ?[A-Z0-9]{4}){3,7})(?![\w-])/g;

/**
 * An IPv4 address that is neither a network, `8.8.8.0/24`, nor the number of a version or a section: `Chrome/99.0.0.0`,
 * `Version=4.0.0.0`, `package@1.2.3.4`.
 */
const ipv4 = /(?<![\w.@-]|\w\/|(?:[Vv]ersion|[Ss]ection)[=: ]{1,2})(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d|\/\d)/g;
const ipv6 = /(?<![\w:.])(?=[\dA-Fa-f]{0,4}:[\dA-Fa-f]{0,4}:)[\dA-Fa-f:]{6,39}(?![\w:.]|\/\d)/g;

/**
 * Public addresses are often those of people. Those of private networks, of the machine, and of examples say where a
 * fault is, and identify no one: they stay.
 */
const isPublicAddress = addressGuard([]);

/** Returns what identifies a person or an account in a text. */
export function personalData(text: string): Span[] {
  return [
    ...spansOf(text, "email", email, (found, start) => isEmail(found, text.slice(Math.max(0, start - 80), start))),
    ...spansOf(text, "card", card, isCard),
    ...spansOf(text, "IBAN", iban, isIban),
    ...spansOf(text, "phone", phone),
    ...spansOf(text, "phone", namedPhone),
    ...spansOf(text, "IP address", ipv4, isPublicAddress),
    ...spansOf(text, "IP address", ipv6, isPublicAddress),
  ];
}

function isEmail(found: string, before: string): boolean {
  const isPasswordOfUrl = /:\/\/[^\s/@]*:$/.test(before);
  return !isPasswordOfUrl && !fileEnding.test(found) && !noPerson.test(found);
}

function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  if (!issued.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Whether the number's remainder by 97 is 1, with its first four characters moved to the end (ISO 7064). */
function isIban(text: string): boolean {
  const compact = text.replaceAll(" ", "");
  if (compact.length < 15 || compact.length > 34) return false;
  let remainder = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
