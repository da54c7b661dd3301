import { type Organization, organizationChangeSchema, organizationSchema } from "@whence/protocol";
import type {
  AuditScope,
  IncidentScope,
  KeyStore,
  OrganizationSettings,
  OrganizationStore,
  Scoped,
} from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import type { Member } from "../../identity/identity.ts";
import { byMember, byOwner } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireMember, requireOwner } from "../viewer.ts";
import { recordChange } from "./audit.ts";

const operations = {
  read: {
    operationId: "get_organization",
    tags: ["organization"],
    summary: "Get the active organization, its settings, today's events, and the size of its stored inputs",
    response: { 200: organizationSchema },
  },
  configure: {
    operationId: "configure_organization",
    tags: ["organization"],
    summary: "Replace the organization's settings; a changed retention also applies to what is already stored",
    body: organizationChangeSchema,
    response: { 200: organizationSchema },
    errors: ["WHENCE_ERR_PASSWORDS_NEEDED"],
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<OrganizationStore & KeyStore & Scoped<IncidentScope & AuditScope>>;

/** Routes for the session's active organization: members read it, owners change its settings. */
export function organizationRoutes(app: FastifyInstance, context: Context): void {
  const { organizations } = context.control;

  app.get("/api/organization", { ...byMember, schema: operations.read }, async (request): Promise<Organization> => {
    const member = await requireMember(context, request);
    return present(context, member, await organizations.settings(member.organizationId));
  });

  app.put("/api/organization", { ...byOwner, schema: operations.configure }, async (request): Promise<Organization> => {
    requireSameOrigin(request, context);
    const { settings: wanted } = parse(organizationChangeSchema, request.body, "body");
    const owner = await requireOwner(context, request);
    const { organizationId: organization, userId: user } = owner;
    const before = await organizations.settings(organization);
    const after = {
      retentionDays: wanted.retention_days,
      eventsPerDay: wanted.events_per_day,
      inputBytesMax: wanted.input_bytes_max,
      plainUsers: wanted.plain_users,
      passwordsOff: wanted.passwords_off,
    };
    if (after.passwordsOff && !before.passwordsOff && !(await context.identity.canDoWithoutPasswords(organization))) {
      throw analyzerErrors.create("WHENCE_ERR_PASSWORDS_NEEDED", [owner.organizationName]);
    }
    await change(context, organization, before, after);
    request.log.info({ organization, user, before, after }, "an owner changed the organization's settings");
    await recordChange(context, owner, "settings.changed", said(after));
    return present(context, owner, after);
  });
}

/** Applied to stored data first: after a failure halfway, sending the same settings again completes the change. */
async function change(
  { control, events, retentionDays }: Context,
  organizationId: string,
  before: OrganizationSettings,
  after: OrganizationSettings,
): Promise<void> {
  if (after.retentionDays !== before.retentionDays) {
    await events.forScope(organizationId).retain(after.retentionDays ?? retentionDays);
  }
  await control.organizations.configure(organizationId, after);
}

function said({ retentionDays, eventsPerDay, inputBytesMax, plainUsers, passwordsOff }: OrganizationSettings): string {
  const inputs = inputBytesMax === null ? "the default" : `${inputBytesMax} bytes`;
  const users = plainUsers ? "users as sent" : "users hashed";
  return `retention ${retentionDays ?? "default"} days, ${eventsPerDay ?? "any number of"} events a day, ${inputs} of inputs, ${users}, passwords ${passwordsOff ? "off" : "on"}`;
}

async function present(
  { control, clock }: Context,
  { organizationId: id, organizationName: name }: Member,
  { retentionDays, eventsPerDay, inputBytesMax, plainUsers, passwordsOff }: OrganizationSettings,
): Promise<Organization> {
  const day = new Date(clock()).toISOString().slice(0, "2026-03-01".length);
  const [events, bytes] = await Promise.all([control.usage.add(id, day, 0), control.scope(id).incidents.inputBytes()]);
  return {
    id,
    name,
    settings: {
      retention_days: retentionDays,
      events_per_day: eventsPerDay,
      input_bytes_max: inputBytesMax,
      plain_users: plainUsers,
      passwords_off: passwordsOff,
    },
    usage: { day, events, input_bytes: bytes },
  };
}
