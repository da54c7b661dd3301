import { limits, releaseReportSchema } from "@whence/protocol";
import type { KeyStore, ReleaseScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { byKey } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { refuseWhenReserved } from "../limits/refuse-when-reserved.ts";
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

const deploySchema = z.object({
  environment: z.string().min(1),
  name: z.string().max(limits.textLengthMax).nullish(),
  url: z.string().nullish(),
  projects: z.array(z.string()).min(1).max(projectsMax),
});
const deployedSchema = z.object({
  environment: z.string(),
  name: z.string().nullable(),
  url: z.string().nullable(),
  dateFinished: z.string(),
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
  deploy: {
    ...{ operationId: "announce_deploy", tags: ["releases"], body: deploySchema, response: { 200: deployedSchema } },
    summary: "Report that a release went live, as Sentry's command line does",
    errors: ["WHENCE_ERR_DISK_RESERVED"],
  },
} as const satisfies Record<string, FastifySchema>;

interface ReleaseRoute {
  readonly Params: { readonly version: string };
}

/** Sentry's clients say `production` where they were given no environment, and ours `PROD`. */
const envOf = (environment: string): string => (environment === "production" ? "PROD" : environment);

/**
 * What Sentry's build tools ask for: a release before and after they upload, which exists once files or telemetry name
 * it, and a deploy, which is a reported release of each service that it names.
 */
export function announcedReleaseRoutes(
  app: FastifyInstance,
  context: HttpContext<KeyStore & Scoped<ReleaseScope>>,
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

  app.post<ReleaseRoute>(
    `${path}:version/deploys/`,
    { ...byKey("release"), schema: operations.deploy },
    async (request, reply) => {
      const { scopeId, keyId: reportedBy } = await requireKey(context, request);
      await refuseWhenReserved(context, reply, "inputs");
      const { environment, name = null, url = null, projects } = parse(deploySchema, request.body, "body");
      const { version: release } = request.params;
      const reports = projects.map((service) =>
        parse(releaseReportSchema, { service, release, env: envOf(environment), url }, "body"),
      );
      const { releases } = context.control.scope(scopeId);
      const now = new Date(context.clock());
      for (const report of reports) await releases.report({ ...report, reportedBy }, now, limits.reportedReleasesMax);
      return { environment, name, url, dateFinished: now.toISOString() };
    },
  );
}
