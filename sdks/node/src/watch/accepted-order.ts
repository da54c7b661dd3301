import { createPublicKey, verify } from "node:crypto";
import type { WatchOrder } from "@whence/protocol";
import { fromJson } from "../runtime/json.ts";
import { readProperty } from "../runtime/read-property.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** In front of what the service signs, so that no other signature of its key fits an order. */
const domain = "whence watch order 1\n";

/** The program that an order must be for, and the keys that it trusts. */
export interface OrderedProgram {
  readonly service: string;
  readonly env: string;
  readonly release: string | undefined;
  /** `<organization>:<public key>`; undefined while none is trusted yet. */
  readonly trusted: string | undefined;
  /** Whether the first key that the service names may be trusted: no one between can read or change the answer. */
  readonly trustsFirst: boolean;
}

/** An order that may be followed and the key that it was checked with, or why it may not. */
export type AcceptedOrder =
  | { readonly order: WatchOrder; readonly key: string }
  | { readonly id: string | undefined; readonly refused: string };

/**
 * Checks what the service asks for: the signature first, and with the trusted key; then that it is for this program, and
 * not expired. Never throws. `now` is in milliseconds since 1970.
 */
export function acceptOrder(answer: unknown, program: OrderedProgram, now: number): AcceptedOrder {
  const [key, text] = [readProperty(answer, "key"), readProperty(answer, "order")];
  const refuse = (refused: string, id?: string): AcceptedOrder => ({ id, refused });
  if (typeof key !== "string" || typeof text !== "string" || text.length > sdkLimits.watchOrderBytesMax)
    return refuse("the order can't be read");
  if (program.trusted === undefined && !program.trustsFirst)
    return refuse("the connection isn't encrypted: set watch to the organization's key");
  if (program.trusted !== undefined && key !== program.trusted)
    return refuse("the order is signed with another key than the trusted one");
  const order = signedOrder(text, key);
  if (!order) return refuse("the signature of the order is wrong");
  const { id, organization, service, env, release } = order;
  if (`${organization}:` !== key.slice(0, organization.length + 1)) return refuse("it is another organization's", id);
  if (service !== program.service || env !== program.env) return refuse("it is for another service", id);
  if (release !== program.release) return refuse(`it is for release ${release}`, id);
  const [from, until] = [Date.parse(order.issued_at), Date.parse(order.expires_at)];
  if (!(until > now)) return refuse("it has expired", id);
  if (!(until - from <= sdkLimits.watchMsMax)) return refuse("it would last longer than an hour", id);
  if (!(from - now <= sdkLimits.watchClockSkewMs)) return refuse("it is from the future: check the clock", id);
  return { order, key };
}

/** Returns the order in a signed text; undefined when the signature is wrong, or it isn't an order. */
function signedOrder(text: string, key: string): WatchOrder | undefined {
  const [payload = "", signature = "", ...more] = text.split(".");
  const x = key.slice(key.indexOf(":") + 1);
  if (more.length > 0) return undefined;
  try {
    const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    if (!verify(null, Buffer.from(domain + payload), publicKey, Buffer.from(signature, "base64url"))) return undefined;
  } catch {
    // Not a key.
    return undefined;
  }
  const order = fromJson(Buffer.from(payload, "base64url").toString());
  return isOrder(order) ? order : undefined;
}

function isOrder(value: unknown): value is WatchOrder {
  const places = readProperty(value, "places");
  const names = ["id", "organization", "service", "env", "release", "issued_at", "expires_at"];
  return (
    names.every((name) => typeof readProperty(value, name) === "string") &&
    Array.isArray(places) &&
    places.length > 0 &&
    places.length <= sdkLimits.watchPlacesMax &&
    places.every(isPlace)
  );
}

/** A wrong digest is that of no file. */
function isPlace(value: unknown): boolean {
  const [file, line, starts, sha256, fields = []] = ["file", "line", "starts", "sha256", "fields"].map((name) =>
    readProperty(value, name),
  );
  const isLine = (one: unknown): boolean => Number.isInteger(one) && Number(one) >= 1;
  return (
    isLine(line) &&
    (starts === null || isLine(starts)) &&
    Array.isArray(fields) &&
    [file, sha256, ...fields].every((text) => typeof text === "string" && text !== "")
  );
}
