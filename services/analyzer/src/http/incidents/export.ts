import { Readable } from "node:stream";
import type { AccountStore, AuditScope, ExportScope, Reachable, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifyReply, FastifySchema } from "fastify";
import { byMember, byOwner } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import { requireOwner, requirePerson } from "../viewer.ts";

/** Characters per write. */
const blockLength = 64 * 1_024;
const jsonLines = { content: { "application/x-ndjson": { schema: { type: "string" } } } };

const operations = {
  account: {
    operationId: "export_account",
    tags: ["session"],
    summary: "Export what is stored about the signed-in person, as JSON lines",
    response: { 200: jsonLines },
  },
  organization: {
    operationId: "export_organization",
    tags: ["organization"],
    summary: "Export everything that the organization has, except credentials, as JSON lines",
    response: { 200: jsonLines },
  },
} as const satisfies Record<string, FastifySchema>;

/** Routes that export stored data as JSON lines: a person's, and an organization's for its owners. */
export function exportRoutes(
  app: FastifyInstance,
  context: HttpContext<AccountStore & Reachable & Scoped<ExportScope & AuditScope>>,
): void {
  const { control, events, clock } = context;

  app.get("/api/account/export", { ...byMember, schema: operations.account }, async (request, reply) => {
    const { userId } = await requirePerson(context, request);
    const lines = exported(clock, "account", userId, [control.accounts.exportRows(userId)]);
    return send(reply, "whence-account.ndjson", lines);
  });

  app.get("/api/organization/export", { ...byOwner, schema: operations.organization }, async (request, reply) => {
    const owner = await requireOwner(context, request);
    const { organizationId: id, organizationName } = owner;
    // An unavailable store is reported by a status; a later failure can only break off the stream.
    await Promise.all([control.check(), events.check()]);
    await recordChange(context, owner, "data.exported", organizationName);
    const sources = [control.scope(id).exportRows(), storedEvents(context, id)];
    return send(reply, "whence-organization.ndjson", exported(clock, "organization", id, sources));
  });
}

/** Yields the export. The last line has the number of lines: without it, an export is truncated. */
async function* exported(
  clock: () => number,
  kind: "account" | "organization",
  id: string,
  sources: readonly AsyncIterable<object>[],
): AsyncGenerator<object> {
  yield { whence_export: kind, id, at: new Date(clock()).toISOString() };
  let lines = 0;
  for (const source of sources) {
    for await (const line of source) {
      lines += 1;
      yield line;
    }
  }
  yield { end: { lines } };
}

async function* storedEvents({ events }: Pick<HttpContext, "events">, scopeId: string): AsyncGenerator<object> {
  for await (const chunk of events.forScope(scopeId).everything()) {
    for (const event of chunk) yield { event };
  }
}

async function* blocks(lines: AsyncIterable<object>): AsyncGenerator<string> {
  let block = "";
  for await (const line of lines) {
    block += `${JSON.stringify(line)}\n`;
    if (block.length < blockLength) continue;
    yield block;
    block = "";
  }
  yield block;
}

function send(reply: FastifyReply, fileName: string, lines: AsyncIterable<object>): FastifyReply {
  return reply
    .type("application/x-ndjson")
    .header("cache-control", "no-store")
    .header("content-disposition", `attachment; filename="${fileName}"`)
    .send(Readable.from(blocks(lines)));
}
