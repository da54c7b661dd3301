import { violation } from "@whence/protocol";
import type { FeedbackAuthor, Principal } from "@whence/storage";
import type { FastifyRequest } from "fastify";
import { hashSecret } from "../credentials.ts";
import { analyzerErrors } from "../errors.ts";
import type { Member, Person } from "../identity/identity.ts";
import type { HttpContext } from "./context.ts";

const refusals = {
  unknown: "WHENCE_ERR_KEY_UNKNOWN",
  revoked: "WHENCE_ERR_KEY_REVOKED",
  expired: "WHENCE_ERR_KEY_EXPIRED",
} as const;

/** Whose key the request carries. Without the header: 422, as the specification has it; with a dead key: 401. */
export async function requireKey(context: HttpContext, request: FastifyRequest): Promise<Principal> {
  const key = keyOf(request);
  if (key === undefined) throw violation(["header", "X-API-Key"], "missing", "Field required");
  const now = new Date(context.clock());
  const found = await context.control.keys.find(hashSecret(key), now);
  if (found.outcome !== "valid") throw analyzerErrors.create(refusals[found.outcome]);
  if (found.isUseUnnoted) {
    await context.control.keys.touch(found.principal.keyId, now).catch((error: unknown) => {
      request.log.warn({ err: error }, "the use of a key was not noted");
    });
  }
  return found.principal;
}

/** Whoever is signed in, also without an organization. */
export async function requirePerson(context: HttpContext, request: FastifyRequest): Promise<Person> {
  const person = await context.identity.person(request.headers);
  if (!person) throw analyzerErrors.create("WHENCE_ERR_NOT_SIGNED_IN", [context.appUrl]);
  return person;
}

/** The member who is signed in, acting for the session's active organization. */
export async function requireMember(context: HttpContext, request: FastifyRequest): Promise<Member> {
  const member = await context.identity.member(request.headers);
  if (!member) throw analyzerErrors.create("WHENCE_ERR_NOT_SIGNED_IN", [context.appUrl]);
  return member;
}

export async function requireOwner(context: HttpContext, request: FastifyRequest): Promise<Member> {
  const member = await requireMember(context, request);
  if (member.role !== "owner") throw analyzerErrors.create("WHENCE_ERR_OWNER_ONLY");
  return member;
}

/** The scope whose rows the request may read, by its key or, without one, by its session. */
export async function requireScope(context: HttpContext, request: FastifyRequest): Promise<string> {
  return (await requireCaller(context, request)).scopeId;
}

/** Whose rows a request may see, and who speaks. */
export interface Caller {
  readonly scopeId: string;
  readonly author: FeedbackAuthor;
}

/** Likewise, with who it is. */
export async function requireCaller(context: HttpContext, request: FastifyRequest): Promise<Caller> {
  if (keyOf(request) !== undefined) {
    const principal = await requireKey(context, request);
    const { scopeId, kind, keyId } = principal;
    return { scopeId, author: kind === "agent" ? { kind, id: principal.agentId } : { kind: "key", id: keyId } };
  }
  const member = await context.identity.member(request.headers);
  if (!member) throw analyzerErrors.create("WHENCE_ERR_NO_CREDENTIALS");
  return memberCaller(member);
}

/** A person speaks for the active organization of their session. */
export function memberCaller({ organizationId, userId }: Member): Caller {
  return { scopeId: organizationId, author: { kind: "member", id: userId } };
}

function keyOf(request: FastifyRequest): string | undefined {
  const header = request.headers["x-api-key"];
  return Array.isArray(header) ? header[0] : header;
}
