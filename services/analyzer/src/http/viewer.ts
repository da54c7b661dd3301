import { type Actor, isWithinScopes, violation } from "@whence/protocol";
import type { FeedbackAuthor, KeyStore, Principal } from "@whence/storage";
import type { FastifyRequest } from "fastify";
import { hashSecret } from "../credentials.ts";
import { analyzerErrors } from "../errors.ts";
import type { Member, Person } from "../identity/identity.ts";
import type { Access } from "./access.ts";
import type { HttpContext } from "./context.ts";

/** What looking up a key takes. */
type KeyContext = Pick<HttpContext<KeyStore>, "control" | "clock">;
/** What looking up a session takes. */
type SessionContext = Pick<HttpContext, "identity" | "appUrl">;

const refusals = {
  unknown: "WHENCE_ERR_KEY_UNKNOWN",
  revoked: "WHENCE_ERR_KEY_REVOKED",
  expired: "WHENCE_ERR_KEY_EXPIRED",
  unconfirmed: "WHENCE_ERR_AGENT_UNCONFIRMED",
} as const;

/**
 * The principal of the request's key. Throws 422 without the header, as specified; 401 for an invalid key; 403 for a
 * key whose scope the route doesn't list.
 */
export async function requireKey(context: KeyContext, request: FastifyRequest): Promise<Principal> {
  const { scopes } = stated(request, "key", "key or member", "key or owner");
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
  if (isWithinScopes(found.principal.scopes, scopes)) return found.principal;
  const [needed, has] = [scopes, found.principal.scopes].map((some) => some.join(" or "));
  throw analyzerErrors.create("WHENCE_ERR_KEY_SCOPE", [needed ?? "", has ?? ""]);
}

/** The signed-in person, with or without an organization. */
export async function requirePerson(context: SessionContext, request: FastifyRequest): Promise<Person> {
  const person = await context.identity.person(request.headers);
  if (!person) throw analyzerErrors.create("WHENCE_ERR_NOT_SIGNED_IN", [context.appUrl]);
  return person;
}

/** The signed-in member, acting for the session's active organization. */
export async function requireMember(context: SessionContext, request: FastifyRequest): Promise<Member> {
  stated(request, "member");
  return signedIn(context, request);
}

export async function requireOwner(context: SessionContext, request: FastifyRequest): Promise<Member> {
  stated(request, "owner");
  const member = await signedIn(context, request);
  if (member.role !== "owner") throw analyzerErrors.create("WHENCE_ERR_OWNER_ONLY");
  return member;
}

/** The scope whose rows the request may read, by its key or else its session. */
export async function requireScope(context: KeyContext & SessionContext, request: FastifyRequest): Promise<string> {
  const { scopeId, onlyAskedBy } = await requireCaller(context, request);
  if (onlyAskedBy !== null) throw new TypeError(`${request.routeOptions.url} shows a key more than its own analyses`);
  return scopeId;
}

/** The sender of a request, and the scope whose rows it may see. */
export interface Caller {
  readonly scopeId: string;
  readonly author: FeedbackAuthor;
  /** The actor, with a display name. */
  readonly actor: Actor;
  /** Set for a key that sees only the analyses it requested itself. */
  readonly onlyAskedBy: string | null;
}

/** Like {@link requireScope}, including who is asking. */
export async function requireCaller(context: KeyContext & SessionContext, request: FastifyRequest): Promise<Caller> {
  stated(request, "key or member");
  if (keyOf(request) !== undefined) return keyCaller(await requireKey(context, request));
  const member = await context.identity.member(request.headers);
  if (!member) throw analyzerErrors.create("WHENCE_ERR_NO_CREDENTIALS");
  return memberCaller(member);
}

/** The owner, or the key, that changes something. */
export async function requireKeyOrOwner(
  context: KeyContext & SessionContext,
  request: FastifyRequest,
): Promise<Caller> {
  stated(request, "key or owner");
  if (keyOf(request) !== undefined) return keyCaller(await requireKey(context, request));
  const member = await context.identity.member(request.headers);
  if (!member) throw analyzerErrors.create("WHENCE_ERR_NO_CREDENTIALS");
  if (member.role !== "owner") throw analyzerErrors.create("WHENCE_ERR_OWNER_ONLY");
  return memberCaller(member);
}

/** The caller for a person, who acts for their session's active organization. */
export function memberCaller({ organizationId, userId, name }: Member): Caller {
  const author = { kind: "member", id: userId } as const;
  return { scopeId: organizationId, author, actor: { ...author, name }, onlyAskedBy: null };
}

function keyCaller(principal: Principal): Caller {
  const { scopeId, scopes, kind, keyId } = principal;
  const author: FeedbackAuthor = kind === "agent" ? { kind, id: principal.agentId } : { kind: "key", id: keyId };
  const actor = { ...author, name: principal.name };
  return { scopeId, author, actor, onlyAskedBy: isWithinScopes(scopes, ["read"]) ? null : keyId };
}

async function signedIn(context: SessionContext, request: FastifyRequest): Promise<Member> {
  const member = await context.identity.member(request.headers);
  if (!member) throw analyzerErrors.create("WHENCE_ERR_NOT_SIGNED_IN", [context.appUrl]);
  return member;
}

/** The access that the route declares. Throws a TypeError when its handler asks for another. */
function stated<By extends Access["by"]>(
  request: FastifyRequest,
  ...asked: readonly By[]
): Extract<Access, { by: By }> {
  const { access } = request.routeOptions.config;
  if (access !== undefined && isBy(access, asked)) return access;
  throw new TypeError(`${request.routeOptions.url} asks for ${asked.join(" or ")} and states ${access?.by}`);
}

function isBy<By extends Access["by"]>(access: Access, asked: readonly By[]): access is Extract<Access, { by: By }> {
  return asked.some((by) => by === access.by);
}

/** The key, also as programs for other services send theirs. */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const header = headers["x-api-key"] ?? /^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1];
  return Array.isArray(header) ? header[0] : header;
}
