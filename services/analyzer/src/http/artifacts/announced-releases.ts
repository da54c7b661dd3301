import { limits } from "@whence/protocol";
import type { KeyStore } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { byKey } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { parse } from "../validation.ts";
import { requireKey } from "../viewer.ts";

const projectsMax = 20;
const bodySchema = z.object({
  version: z.string().min(1).max(limits.textLengthMax).optional(),
  projects: z.array(z.string().max(limits.serviceLengthMax)).max(projectsMax).default([]),
});
const announcedSchema = z.object({
  version: z.string(),
  dateCreated: z.string(),
  projects: z.array(z.object({ slug: z.string(), name: z.string() })),
});

const described = { tags: ["sources"], body: bodySchema, response: { 200: announcedSchema } } as const;
const operations = {
  create: {
    ...{ ...described, operationId: "announce_release" },
    summary: "Answer a tool of Sentry's that creates a release; nothing is stored, since telemetry names releases",
  },
  finalize: {
    ...{ ...described, operationId: "finalize_release" },
    summary: "The same for one that finalizes a release",
  },
} as const satisfies Record<string, FastifySchema>;

interface ReleaseRoute {
  readonly Params: { readonly version: string };
}

/** What Sentry's build tools ask for before and after they upload: a release, which exists once files or telemetry name it. */
export function announcedReleaseRoutes(
  app: FastifyInstance,
  context: Pick<HttpContext<KeyStore>, "control" | "clock">,
): void {
  const announced = (version: string, projects: readonly string[]): z.infer<typeof announcedSchema> => ({
    version,
    dateCreated: new Date(context.clock()).toISOString(),
    projects: projects.map((name) => ({ slug: name, name })),
  });
  const path = "/api/0/organizations/:organization/releases/";

  app.post(path, { ...byKey("release"), schema: operations.create }, async (request) => {
    await requireKey(context, request);
    const { version = "", projects } = parse(bodySchema, request.body, "body");
    return announced(version, projects);
  });

  app.put<ReleaseRoute>(`${path}:version/`, { ...byKey("release"), schema: operations.finalize }, async (request) => {
    await requireKey(context, request);
    return announced(request.params.version, parse(bodySchema, request.body, "body").projects);
  });
}
