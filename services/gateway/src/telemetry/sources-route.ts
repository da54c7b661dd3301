import { hash } from "node:crypto";
import {
  limits,
  type SentFilesAnswer,
  type SentFilesRequest,
  sentFilesRequestSchema,
  utf8Length,
  ValidationFailure,
  validationErrors,
  violation,
  withoutCredentials,
} from "@whence/protocol";
import type { Scoped, SentSourceScope } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import type { Quota } from "../plugins/quota.ts";
import { senderOf } from "../plugins/sender.ts";
import type { ReceivedBody } from "../plugins/unpack.ts";
import type { TelemetryRouteOptions } from "./route.ts";
import type { WantedFiles } from "./wanted-files.ts";

export interface SourcesRouteOptions extends Pick<TelemetryRouteOptions, "admission" | "clock"> {
  readonly control: Scoped<SentSourceScope>;
  readonly wanted: WantedFiles;
  readonly quota: Quota;
}

const room = {
  releasesPerServiceMax: limits.sourceBundlesPerServiceMax,
  bytesMax: limits.organizationSourceBytesMax,
};

/**
 * `POST /api/telemetry/sources`: files of a program that an investigation lacks, sent by one of its processes. Recognized
 * credentials are masked before a file is stored. Each file counts as one event.
 */
export function sourcesRoute(app: FastifyInstance, options: SourcesRouteOptions): void {
  const { control, wanted, quota, clock, admission } = options;
  app.post<{ Body: ReceivedBody | undefined }>(
    "/api/telemetry/sources",
    { bodyLimit: limits.batchBytesMax, logLevel: "warn", onRequest: admission },
    async (request, reply): Promise<SentFilesAnswer> => {
      const { organizationId: scopeId, keyId } = senderOf(request);
      const { service, release, files } = validated(request.body?.value);
      const now = clock();
      const stored = await control.scope(scopeId).sentSources.add(
        {
          service,
          release,
          files: files.map(({ path, content }) => ({ path, text: withoutCredentials(content, path) })),
          keyId,
          wantedSince: new Date(now - limits.filesWantedMs),
          now: new Date(now),
        },
        room,
      );
      wanted.forget({ scopeId, service, release });
      quota.count(request, stored);
      reply.code(202);
      return { stored };
    },
  );
}

function validated(body: unknown): SentFilesRequest {
  const parsed = sentFilesRequestSchema.safeParse(body);
  if (!parsed.success) throw new ValidationFailure(validationErrors(parsed.error.issues, body, "body"));
  for (const [index, { content, sha256 }] of parsed.data.files.entries()) {
    if (utf8Length(content) > limits.sentFileBytesMax) {
      throw violation(["body", "files", index, "content"], "too_long", `at most ${limits.sentFileBytesMax} bytes`);
    }
    if (hash("sha256", content) !== sha256) {
      throw violation(["body", "files", index, "sha256"], "value_error", "it isn't the digest of the content");
    }
  }
  return parsed.data;
}
