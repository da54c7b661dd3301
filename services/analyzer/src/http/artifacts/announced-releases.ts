import { limits, releaseReportSchema } from "@whence/protocol";
import type { KeyStore, ReleaseScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifyReply, FastifySchema } from "fastify";
import { z } from "zod";
import { byKey } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { refuseWhenReserved } from "../limits/refuse-when-reserved.ts";
import { parse } from "../validation.ts";
import { requireKey } from "../viewer.ts";
import { ofServicesSchema, setCommitsSchema } from "./set-commits.ts";

const projectsMax = 20;
const nameSchema = z.string().trim().min(1).max(limits.serviceLengthMax);
const bodySchema = z.object({
  version: nameSchema.optional(),
  projects: z.array(nameSchema).max(projectsMax).default([]),
  commits: setCommitsSchema.optional(),
});
const announcedSchema = z.object({
  version: z.string(),
  dateCreated: z.string(),
  projects: z.array(z.object({ slug: z.string(), name: z.string() })),
});

/** Empty when there is none. */
const previousSchema = z.union([
  z.object({ version: z.string(), dateCreated: z.string(), lastCommit: z.object({ id: z.string() }) }),
  z.strictObject({}),
]);

const deploySchema = z.object({
  environment: z.string().min(1),
  name: z.string().max(limits.textLengthMax).nullish(),
  url: z.string().nullish(),
  projects: z.array(z.string()).max(projectsMax).optional(),
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
    ...described,
    operationId: "announce_release",
    summary: "Learn which services have a release, from a tool of Sentry's that creates it",
    errors: ["WHENCE_ERR_DISK_RESERVED"],
  },
  finalize: {
    ...described,
    operationId: "finalize_release",
    summary: "Set the commits of a release, or answer a tool of Sentry's that finalizes it",
    errors: ["WHENCE_ERR_DISK_RESERVED"],
  },
  repositories: {
    operationId: "list_commit_repositories",
    tags: ["releases"],
    response: { 200: z.array(z.unknown()) },
    summary: "List repositories to read commits from: none, so that Sentry's command line reads them from its checkout",
  },
  previous: {
    operationId: "previous_release_with_commits",
    tags: ["releases"],
    response: { 200: previousSchema },
    summary: "Find the release before, whose commits were set",
  },
  deploy: {
    operationId: "announce_deploy",
    tags: ["releases"],
    body: deploySchema,
    response: { 200: deployedSchema },
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
 * What Sentry's build tools ask for: a release before and after they upload, its commits, and a deploy, which is a
 * reported release of each service that it names.
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
  const announce = async (
    { scopeId, reply }: { readonly scopeId: string; readonly reply: FastifyReply },
    release: string,
    services: readonly string[],
  ): Promise<void> => {
    if (release === "" || services.length === 0) return;
    await refuseWhenReserved(context, reply, "inputs");
    const { releaseCommits } = context.control.scope(scopeId);
    await releaseCommits.announce(release, services, new Date(context.clock()), limits.reportedReleasesMax);
  };

  app.post(path, { ...byKey("release"), schema: operations.create }, async (request, reply) => {
    const { scopeId } = await requireKey(context, request);
    const { version = "", projects } = parse(bodySchema, request.body, "body");
    await announce({ scopeId, reply }, version, projects);
    return announced(version, projects);
  });

  app.put<ReleaseRoute>(
    `${path}:version/`,
    { ...byKey("release"), schema: operations.finalize },
    async (request, reply) => {
      const { scopeId } = await requireKey(context, request);
      const { projects, commits } = parse(bodySchema, request.body, "body");
      const { version } = request.params;
      await announce({ scopeId, reply }, version, projects);
      if (commits) {
        await refuseWhenReserved(context, reply, "inputs");
        const { releaseCommits } = context.control.scope(scopeId);
        const services = await releaseCommits.set(version, commits, new Date(context.clock()));
        parse(ofServicesSchema, { projects: services }, "body");
      }
      return announced(version, projects);
    },
  );

  app.get(
    "/api/0/organizations/:organization/repos/",
    { ...byKey("release"), schema: operations.repositories },
    async (request): Promise<unknown[]> => {
      await requireKey(context, request);
      return [];
    },
  );

  app.get<ReleaseRoute>(
    `${path}:version/previous-with-commits/`,
    { ...byKey("release"), schema: operations.previous },
    async (request) => {
      const { scopeId } = await requireKey(context, request);
      const before = await context.control.scope(scopeId).releaseCommits.before(request.params.version);
      return before ? { version: before.release, dateCreated: before.setAt, lastCommit: { id: before.commit } } : {};
    },
  );

  app.post<ReleaseRoute>(
    `${path}:version/deploys/`,
    { ...byKey("release"), schema: operations.deploy },
    async (request, reply) => {
      const { scopeId, keyId: reportedBy } = await requireKey(context, request);
      await refuseWhenReserved(context, reply, "inputs");
      const { environment, name = null, url = null, projects } = parse(deploySchema, request.body, "body");
      const { version: release } = request.params;
      const services = projects ?? (await context.control.scope(scopeId).releaseCommits.services(release));
      const reports = parse(ofServicesSchema, { projects: services }, "body").projects.map((service) =>
        parse(releaseReportSchema, { service, release, env: envOf(environment), url }, "body"),
      );
      const { releases } = context.control.scope(scopeId);
      const now = new Date(context.clock());
      for (const report of reports) await releases.report({ ...report, reportedBy }, now, limits.reportedReleasesMax);
      return { environment, name, url, dateFinished: now.toISOString() };
    },
  );
}
