import {
  type CommentRequest,
  commentRequestSchema,
  type Incident,
  incidentSchema,
  type OwnerChange,
  ownerChangeSchema,
} from "@whence/protocol";
import type { CommentOutcome, IncidentScope, KeyStore, OwnerOutcome, OwnershipScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import { handOverMail, mentionMail, sendMails } from "../../notifications/personal-mails.ts";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { type Caller, requireCaller } from "../viewer.ts";
import { readIncident, unknownIncident } from "./visible-incident.ts";

const operations = {
  change: {
    operationId: "change_incident_owner",
    tags: ["incidents"],
    summary: "Take an incident, hand it over to a member, let it go, or acknowledge it",
    body: ownerChangeSchema,
    response: { 200: incidentSchema },
    errors: [
      "WHENCE_ERR_INCIDENT_UNKNOWN",
      "WHENCE_ERR_INCIDENT_MERGED",
      "WHENCE_ERR_MEMBER_UNKNOWN",
      "WHENCE_ERR_KEY_OWNS_NO_INCIDENT",
    ],
  },
  comment: {
    operationId: "comment_on_incident",
    tags: ["incidents"],
    summary: "Comment on an incident; members named with @ are mentioned",
    body: commentRequestSchema,
    response: { 200: incidentSchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN", "WHENCE_ERR_INCIDENT_MERGED"],
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<KeyStore & Scoped<IncidentScope & OwnershipScope>>;

/** Routes for who takes care of an incident, and for what people say about it: by key or session. */
export function ownerRoutes(app: FastifyInstance, context: Context): void {
  app.post<{ Params: { id: string } }>(
    "/api/incidents/:id/owner",
    { ...byKeyOrMember("analyze"), schema: operations.change },
    async (request): Promise<Incident> => {
      requireSameOrigin(request, context);
      const caller = await requireCaller(context, request);
      const change: OwnerChange = parse(ownerChangeSchema, request.body, "body");
      const { id } = await readIncident(context, caller, request.params.id);
      const result = await changeOwnerOf(context, caller, id, change);
      const incident = await readIncident(context, caller, id);
      if (change.action === "hand-over" && result.outcome === "changed") {
        mail(
          context,
          caller,
          [result.owner],
          (to) => handOverMail({ by: caller.actor.name, to, incident }),
          request.log,
        );
      }
      return incident;
    },
  );

  app.post<{ Params: { id: string } }>(
    "/api/incidents/:id/comments",
    { ...byKeyOrMember("analyze"), schema: operations.comment },
    async (request): Promise<Incident> => {
      requireSameOrigin(request, context);
      const caller = await requireCaller(context, request);
      const { text }: CommentRequest = parse(commentRequestSchema, request.body, "body");
      const { id } = await readIncident(context, caller, request.params.id);
      const { ownership } = context.control.scope(caller.scopeId);
      const result = await ownership.comment(id, text, caller.actor, new Date(context.clock()));
      refuse(id, result);
      const incident = await readIncident(context, caller, id);
      const mentioned = result.outcome === "added" ? result.mentioned : [];
      mail(context, caller, mentioned, (to) => mentionMail({ by: caller.actor.name, to, incident }, text), request.log);
      return incident;
    },
  );
}

type Changed = Extract<OwnerOutcome, { outcome: "changed" | "unchanged" }>;

/** Changes the owner of a visible incident; throws the error for a change that isn't made. */
export async function changeOwnerOf(
  { control, clock }: Pick<HttpContext<Scoped<OwnershipScope>>, "control" | "clock">,
  { scopeId, actor }: Caller,
  id: string,
  change: OwnerChange,
): Promise<Changed> {
  const result = await control.scope(scopeId).ownership.change(id, change, actor, new Date(clock()));
  refuse(id, result, change);
  return result;
}

/** Throws the error for something that wasn't done. */
function refuse<Outcome extends OwnerOutcome | CommentOutcome>(
  id: string,
  result: Outcome,
  change?: OwnerChange,
): asserts result is Exclude<Outcome, { outcome: "unknown" | "merged" | "no-member" }> {
  switch (result.outcome) {
    case "changed":
    case "unchanged":
    case "added":
      return;
    case "unknown":
      throw unknownIncident(id);
    case "merged":
      throw analyzerErrors.create("WHENCE_ERR_INCIDENT_MERGED", [id, result.into]);
    case "no-member":
      throw change?.action === "hand-over"
        ? analyzerErrors.create("WHENCE_ERR_MEMBER_UNKNOWN", [change.to])
        : analyzerErrors.create("WHENCE_ERR_KEY_OWNS_NO_INCIDENT");
  }
}

type Told = { readonly id: string; readonly email: string; readonly isVerified: boolean } | null;

/**
 * Mails other members what a member did, at addresses that are known to be theirs. Keys send no mails: a leaked one must
 * not write to people.
 */
function mail(
  { mailer }: Pick<Context, "mailer">,
  { actor }: Caller,
  members: readonly Told[],
  compose: (to: string) => Parameters<typeof sendMails>[1][number],
  logger: Parameters<typeof sendMails>[2],
): void {
  if (actor.kind !== "member") return;
  const others = members.flatMap((member) => (member?.isVerified && member.id !== actor.id ? [member.email] : []));
  sendMails(mailer, others.map(compose), logger);
}
