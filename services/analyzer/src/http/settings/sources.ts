import {
  limits,
  type SourceBundleAnswer,
  type SourceList,
  sourceBundleAnswerSchema,
  sourceBundleRequestSchema,
  sourceContentsAnswerSchema,
  sourceContentsSchema,
  sourceListSchema,
  utf8Length,
} from "@whence/protocol";
import type { AuditScope, KeyStore, Scoped, SourceScope } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { byKey, byKeyOrMember, byOwner } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import { beforeUpload } from "../limits/before-upload.ts";
import type { BodyPlaces } from "../limits/body-places.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireKey, requireOwner, requireScope } from "../viewer.ts";

const releaseNameSchema = z.object({ service: z.string(), release: z.string() });

const operations = {
  list: {
    operationId: "list_sources",
    tags: ["sources"],
    summary: "List the releases whose sources are stored",
    response: { 200: sourceListSchema },
  },
  put: {
    operationId: "put_sources",
    tags: ["sources"],
    summary: "Store the sources of a release, once the contents of all its files are there",
    body: sourceBundleRequestSchema,
    response: { 200: sourceBundleAnswerSchema },
    errors: ["WHENCE_ERR_BODIES_UNDER_WAY", "WHENCE_ERR_DISK_RESERVED", "WHENCE_ERR_ORGANIZATION_SOURCE_QUOTA"],
  },
  addContents: {
    operationId: "add_source_contents",
    tags: ["sources"],
    summary: "Store contents of source files",
    body: sourceContentsSchema,
    response: { 200: sourceContentsAnswerSchema },
    errors: [
      "WHENCE_ERR_BODIES_UNDER_WAY",
      "WHENCE_ERR_DISK_RESERVED",
      "WHENCE_ERR_SOURCE_FILE_TOO_LARGE",
      "WHENCE_ERR_ORGANIZATION_SOURCE_QUOTA",
    ],
  },
  remove: {
    operationId: "remove_sources",
    tags: ["sources"],
    summary: "Remove the sources of a release",
    response: { 200: releaseNameSchema },
    errors: ["WHENCE_ERR_SOURCES_NOT_FOUND"],
  },
} as const satisfies Record<string, FastifySchema>;

/**
 * Sources of releases, uploaded by CI: first the list of files, then the contents that aren't stored yet, then the list
 * again. No route returns a file's contents; reports quote the lines they need.
 */
export function sourceRoutes(
  app: FastifyInstance,
  context: HttpContext<KeyStore & Scoped<SourceScope & AuditScope>>,
  rateLimits: RouteRateLimits,
  bodies: BodyPlaces,
): void {
  const { control, clock } = context;
  const { sourceBundlesPerServiceMax: releasesPerServiceMax } = limits;
  const room = { releasesPerServiceMax, bytesMax: context.limits.organizationSourceBytesMax };
  const { identify, takePlace } = beforeUpload(context, bodies);
  const upload = { ...byKey("release"), bodyLimit: limits.sourceUploadBytesMax };

  app.get(
    "/api/sources",
    { ...byKeyOrMember("read"), schema: operations.list },
    async (request): Promise<SourceList> => {
      const scopeId = await requireScope(context, request);
      return { bundles: [...(await control.scope(scopeId).sources.list())] };
    },
  );

  app.put(
    "/api/sources",
    { ...upload, onRequest: [identify, rateLimits.sourceList, takePlace], schema: operations.put },
    async (request): Promise<SourceBundleAnswer> => {
      const { scopeId, keyId } = request.principal ?? (await requireKey(context, request));
      const bundle = parse(sourceBundleRequestSchema, request.body, "body");
      const { sources } = control.scope(scopeId);
      const put = await sources.put({ ...bundle, keyId, now: new Date(clock()) }, room);
      if (put.outcome === "no-room")
        throw analyzerErrors.create("WHENCE_ERR_ORGANIZATION_SOURCE_QUOTA", [room.bytesMax]);
      return { stored: put.outcome === "stored", missing: put.outcome === "missing" ? [...put.sha256s] : [] };
    },
  );

  app.post(
    "/api/sources/contents",
    { ...upload, onRequest: [identify, takePlace], schema: operations.addContents },
    async (request) => {
      const { scopeId } = request.principal ?? (await requireKey(context, request));
      const { contents } = parse(sourceContentsSchema, request.body, "body");
      const { sourceFileBytesMax: fileBytesMax } = limits;
      if (contents.some((text) => utf8Length(text) > fileBytesMax)) {
        throw analyzerErrors.create("WHENCE_ERR_SOURCE_FILE_TOO_LARGE", [fileBytesMax]);
      }
      const isStored = await control.scope(scopeId).sources.addContents(contents, room.bytesMax, new Date(clock()));
      if (!isStored) throw analyzerErrors.create("WHENCE_ERR_ORGANIZATION_SOURCE_QUOTA", [room.bytesMax]);
      return { stored: contents.length };
    },
  );

  app.delete<{ Params: z.infer<typeof releaseNameSchema> }>(
    "/api/sources/:service/:release",
    { ...byOwner, schema: operations.remove },
    async (request) => {
      requireSameOrigin(request, context);
      const { service, release } = request.params;
      const owner = await requireOwner(context, request);
      const isRemoved = await control.scope(owner.organizationId).sources.remove(service, release);
      if (!isRemoved) {
        throw analyzerErrors.create("WHENCE_ERR_SOURCES_NOT_FOUND", [service.slice(0, 60), release.slice(0, 60)]);
      }
      await recordChange(context, owner, "sources.removed", `${service} ${release}`);
      return { service, release };
    },
  );
}
