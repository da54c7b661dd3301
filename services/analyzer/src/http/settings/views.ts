import {
  type SavedView,
  type SavedViews,
  savedViewSchema,
  savedViewsSchema,
  viewChangeSchema,
  viewLimits,
} from "@whence/protocol";
import type { Scoped, ViewScope } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { byMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireMember } from "../viewer.ts";

const operations = {
  list: {
    operationId: "list_views",
    tags: ["incidents"],
    summary: "List one's saved views of the list of incidents, and those that others share",
    response: { 200: savedViewsSchema },
  },
  create: {
    operationId: "save_view",
    tags: ["incidents"],
    summary: "Save a view of the list of incidents",
    body: viewChangeSchema,
    response: { 200: savedViewSchema },
    errors: ["WHENCE_ERR_VIEWS_FULL"],
  },
  replace: {
    operationId: "replace_view",
    tags: ["incidents"],
    summary: "Replace a view that one has saved",
    body: viewChangeSchema,
    response: { 200: savedViewSchema },
    errors: ["WHENCE_ERR_VIEW_UNKNOWN"],
  },
  remove: {
    operationId: "delete_view",
    tags: ["incidents"],
    summary: "Delete a view that one has saved",
    response: { 200: z.object({ view_id: z.string() }) },
    errors: ["WHENCE_ERR_VIEW_UNKNOWN"],
  },
} as const satisfies Record<string, FastifySchema>;

const idLengthMax = 60;

/** Routes for the views that members save. Each changes their own; a shared one is seen by all. */
export function viewRoutes(app: FastifyInstance, context: HttpContext<Scoped<ViewScope>>): void {
  const { control } = context;

  app.get("/api/views", { ...byMember, schema: operations.list }, async (request): Promise<SavedViews> => {
    const { organizationId, userId } = await requireMember(context, request);
    return { views: [...(await control.scope(organizationId).views.list(userId))] };
  });

  app.post("/api/views", { ...byMember, schema: operations.create }, async (request): Promise<SavedView> => {
    requireSameOrigin(request, context);
    const { organizationId, userId } = await requireMember(context, request);
    const view = parse(viewChangeSchema, request.body, "body");
    const saved = await control.scope(organizationId).views.add(userId, view, viewLimits.viewsPerMemberMax);
    if (saved === "no-member") throw analyzerErrors.create("WHENCE_ERR_NOT_SIGNED_IN", [context.appUrl]);
    if (saved === "full") throw analyzerErrors.create("WHENCE_ERR_VIEWS_FULL", [viewLimits.viewsPerMemberMax]);
    return saved;
  });

  app.put<{ Params: { id: string } }>(
    "/api/views/:id",
    { ...byMember, schema: operations.replace },
    async (request): Promise<SavedView> => {
      requireSameOrigin(request, context);
      const { organizationId, userId } = await requireMember(context, request);
      const view = parse(viewChangeSchema, request.body, "body");
      const saved = await control.scope(organizationId).views.replace(userId, request.params.id, view);
      if (!saved) throw unknownView(request.params.id);
      return saved;
    },
  );

  app.delete<{ Params: { id: string } }>(
    "/api/views/:id",
    { ...byMember, schema: operations.remove },
    async (request): Promise<{ view_id: string }> => {
      requireSameOrigin(request, context);
      const { organizationId, userId } = await requireMember(context, request);
      if (!(await control.scope(organizationId).views.remove(userId, request.params.id))) {
        throw unknownView(request.params.id);
      }
      return { view_id: request.params.id };
    },
  );
}

function unknownView(id: string) {
  return analyzerErrors.create("WHENCE_ERR_VIEW_UNKNOWN", [id.slice(0, idLengthMax)]);
}
