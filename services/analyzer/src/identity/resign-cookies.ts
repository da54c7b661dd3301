import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Replaces the signatures of a former secret in a `Cookie` header by those of the current one, so that changing the secret
 * key doesn't sign people out: the identity library knows only one signing secret. A signed value is
 * `<value>.<base64 of its HMAC-SHA256>`, percent-encoded (better-call's `signCookieValue`).
 */
export function resignCookies(header: string, current: string, former: readonly string[]): string {
  if (former.length === 0) return header;
  return header
    .split(";")
    .map((pair) => resignPair(pair.trim(), current, former))
    .join("; ");
}

function resignPair(pair: string, current: string, former: readonly string[]): string {
  const [, name, encoded] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
  const signed = encoded === undefined ? null : decoded(encoded);
  const at = signed?.lastIndexOf(".") ?? -1;
  if (signed === null || at < 1) return pair;
  const [value, signature] = [signed.slice(0, at), signed.slice(at + 1)];
  const isFormer = former.some((secret) => isSame(signature, sign(value, secret)));
  return isFormer ? `${name}=${encodeURIComponent(`${value}.${sign(value, current)}`)}` : pair;
}

/** Null for an invalid percent-encoding. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function sign(value: string, secret: string): string {
  return createHmac("sha256", secret).update(value).digest("base64");
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
