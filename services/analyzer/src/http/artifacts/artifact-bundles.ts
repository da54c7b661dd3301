import { createHash } from "node:crypto";
import { limits } from "@whence/protocol";
import type { ArtifactScope, KeyStore, Scoped, SourceScope } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { artifactLimits } from "../../sources/artifacts/artifact-limits.ts";
import { type Assembled, assembleBundle } from "../../sources/artifacts/assemble-bundle.ts";
import { byKey } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { beforeUpload } from "../limits/before-upload.ts";
import type { BodyPlaces } from "../limits/body-places.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { parse } from "../validation.ts";
import { requireKey } from "../viewer.ts";
import { AssemblyTurns } from "./assembly-turns.ts";
import { partsOf } from "./uploaded-parts.ts";

const sha1Schema = z.string().regex(/^[0-9a-f]{40}$/, "it must be a SHA-1 in hex");
const chunksMax = Math.ceil(artifactLimits.bundleBytesMax / artifactLimits.chunkBytesMax) * 2;
const servicesMax = 20;

const assembleSchema = z.object({
  checksum: sha1Schema,
  chunks: z.array(sha1Schema).min(1).max(chunksMax),
  /** The services whose built files they are. */
  projects: z.array(z.string().trim().min(1).max(limits.serviceLengthMax)).min(1).max(servicesMax),
  version: z.string().min(1).max(limits.textLengthMax).nullish(),
});

/** How files are uploaded, as `sentry-cli` reads it. */
const uploadSchema = z.object({
  url: z.string(),
  chunkSize: z.int(),
  chunksPerRequest: z.int(),
  maxFileSize: z.int(),
  maxRequestSize: z.int(),
  concurrency: z.int(),
  hashAlgorithm: z.literal("sha1"),
  compression: z.array(z.string()),
  accept: z.array(z.string()),
});

const assembledSchema = z.object({
  state: z.enum(["not_found", "ok", "error"]),
  missingChunks: z.array(z.string()),
  detail: z.string().nullable(),
});

const tags = ["sources"];
const operations = {
  describe: {
    operationId: "describe_artifact_upload",
    tags,
    response: { 200: uploadSchema },
    summary: "Learn how sentry-cli uploads bundles of built files",
  },
  upload: {
    operationId: "upload_artifact_chunks",
    tags,
    response: { 200: z.object({ stored: z.int() }) },
    summary: "Upload parts of a bundle, as a form whose files are named by their SHA-1",
    errors: [
      ...(["WHENCE_ERR_BODIES_UNDER_WAY", "WHENCE_ERR_DISK_RESERVED", "WHENCE_ERR_ARTIFACT_INVALID"] as const),
      ...(["WHENCE_ERR_ORGANIZATION_SOURCE_QUOTA", "WHENCE_ERR_RATE_LIMITED"] as const),
    ],
  },
  assemble: {
    operationId: "assemble_artifact_bundle",
    tags,
    body: assembleSchema,
    response: { 200: assembledSchema },
    summary: "Store a bundle of built files, once all of its parts are there",
    errors: [
      ...(["WHENCE_ERR_ASSEMBLIES_WAITING", "WHENCE_ERR_DISK_RESERVED"] as const),
      ...(["WHENCE_ERR_ORGANIZATION_SOURCE_QUOTA", "WHENCE_ERR_RATE_LIMITED"] as const),
    ],
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<KeyStore & Scoped<SourceScope & ArtifactScope>>;

/**
 * What `sentry-cli sourcemaps upload` asks for: it uploads a bundle of built files with their maps in parts, and then has
 * it assembled. The key decides the organization, whatever the path says. Register it in a scope of its own: it reads
 * forms.
 */
export function artifactRoutes(
  app: FastifyInstance,
  context: Context,
  rateLimits: RouteRateLimits,
  bodies: BodyPlaces,
): void {
  const { control, clock, appUrl, readBundle } = context;
  const turns = new AssemblyTurns();
  const releasesPerServiceMax = limits.sourceBundlesPerServiceMax;
  const room = { releasesPerServiceMax, bytesMax: context.limits.organizationSourceBytesMax };
  const { identify, takePlace } = beforeUpload(context, bodies);
  const onRequest = [identify, rateLimits.artifact, takePlace];
  app.addContentTypeParser(
    "multipart/form-data",
    { parseAs: "buffer" },
    async (_request: unknown, body: Buffer) => body,
  );

  const chunkUpload = "/api/0/organizations/:organization/chunk-upload/";
  app.get(chunkUpload, { ...byKey("release"), schema: operations.describe }, async (request) => {
    await requireKey(context, request);
    return {
      url: `${appUrl}${new URL(request.url, appUrl).pathname}`,
      chunkSize: artifactLimits.chunkBytesMax,
      chunksPerRequest: artifactLimits.chunksPerRequest,
      maxFileSize: artifactLimits.bundleBytesMax,
      maxRequestSize: artifactLimits.chunkRequestBytesMax,
      concurrency: 2,
      hashAlgorithm: "sha1",
      compression: ["gzip"],
      accept: ["release_files", "artifact_bundles", "artifact_bundles_v2"],
    };
  });

  app.post(
    chunkUpload,
    {
      ...byKey("release"),
      bodyLimit: artifactLimits.chunkRequestBytesMax,
      onRequest,
      schema: operations.upload,
    },
    async (request) => {
      const { scopeId } = request.principal ?? (await requireKey(context, request));
      const { artifacts } = control.scope(scopeId);
      const parts = await partsOf(request);
      for (const { name, data } of parts) {
        const sha1 = createHash("sha1").update(data).digest("hex");
        if (sha1 !== name)
          throw analyzerErrors.create("WHENCE_ERR_ARTIFACT_INVALID", ["a part isn't what its name says"]);
        if (await artifacts.addChunk({ sha1, data }, room.bytesMax, new Date(clock()))) continue;
        throw analyzerErrors.create("WHENCE_ERR_ORGANIZATION_SOURCE_QUOTA", [room.bytesMax]);
      }
      return { stored: parts.length };
    },
  );

  app.post(
    "/api/0/organizations/:organization/artifactbundle/assemble/",
    { ...byKey("release"), onRequest, schema: operations.assemble },
    async (request, reply) => {
      const { scopeId, keyId } = request.principal ?? (await requireKey(context, request));
      const { checksum: sha1, chunks, projects, version } = parse(assembleSchema, request.body, "body");
      const bundle = { scopeId, keyId, sha1, chunks, services: projects, release: version ?? null };
      const assemble = () => assembleBundle({ control, clock, room, readBundle }, bundle);
      return presented(await turns.take(reply, scopeId, assemble), room.bytesMax);
    },
  );
}

function presented(assembled: Assembled, bytesMax: number): z.infer<typeof assembledSchema> {
  switch (assembled.outcome) {
    case "stored":
      return { state: "ok", missingChunks: [], detail: null };
    case "missing":
      return { state: "not_found", missingChunks: [...assembled.chunks], detail: null };
    case "invalid":
      return { state: "error", missingChunks: [], detail: assembled.reason };
    case "no-room":
      throw analyzerErrors.create("WHENCE_ERR_ORGANIZATION_SOURCE_QUOTA", [bytesMax]);
  }
}
