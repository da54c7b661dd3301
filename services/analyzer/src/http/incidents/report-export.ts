import { reportMarkdown } from "@whence/protocol";
import type { IncidentScope, KeyStore, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifyReply, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { parse } from "../validation.ts";
import { requireCaller } from "../viewer.ts";
import { readIncident } from "./visible-incident.ts";

const exportQuerySchema = z.object({ format: z.enum(["json", "markdown"]).default("json") });

const operations = {
  read: {
    operationId: "export_incident_report",
    tags: ["incidents"],
    summary: "Export an incident with its report as a file, JSON or Markdown",
    querystring: exportQuerySchema,
    response: {
      200: {
        content: {
          "application/json": { schema: { type: "string" } },
          "text/markdown": { schema: { type: "string" } },
        },
      },
    },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN", "WHENCE_ERR_REPORT_MISSING"],
  },
} as const satisfies Record<string, FastifySchema>;

/** `GET /api/incidents/{id}/report`: an incident with its report, as a file. */
export function reportExportRoutes(app: FastifyInstance, context: HttpContext<KeyStore & Scoped<IncidentScope>>): void {
  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id/report",
    { ...byKeyOrMember("analyze", "read"), schema: operations.read },
    async (request, reply): Promise<FastifyReply> => {
      const caller = await requireCaller(context, request);
      const { format } = parse(exportQuerySchema, request.query, "query");
      const incident = await readIncident(context, caller, request.params.id);
      const { id, report } = incident;
      if (!report) throw analyzerErrors.create("WHENCE_ERR_REPORT_MISSING", [id]);
      if (format === "markdown")
        return send(reply, `${id}.md`, "text/markdown; charset=utf-8", reportMarkdown(incident));
      return send(reply, `${id}.json`, "application/json; charset=utf-8", `${JSON.stringify(incident, null, 2)}\n`);
    },
  );
}

function send(reply: FastifyReply, fileName: string, type: string, text: string): FastifyReply {
  return reply
    .type(type)
    .header("cache-control", "no-store")
    .header("content-disposition", `attachment; filename="${fileName}"`)
    .send(text);
}
