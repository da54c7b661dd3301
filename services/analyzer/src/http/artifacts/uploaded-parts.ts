import { promisify } from "node:util";
import { gunzip, type ZlibOptions } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import { artifactLimits } from "../../sources/artifacts/artifact-limits.ts";

const unpack = promisify<Buffer, ZlibOptions, Buffer>(gunzip);

/** A file of a form, unpacked. */
export interface UploadedPart {
  readonly name: string;
  readonly data: Buffer;
}

/** Returns the files of a form: `file` as they are, and `file_gzip` unpacked. Throws `WHENCE_ERR_ARTIFACT_INVALID`. */
export async function partsOf({ headers, body }: FastifyRequest): Promise<readonly UploadedPart[]> {
  if (!Buffer.isBuffer(body)) throw analyzerErrors.create("WHENCE_ERR_ARTIFACT_INVALID", ["it isn't a form"]);
  const files = [...(await formOf(body, headers["content-type"] ?? "")).entries()].flatMap(([field, file]) =>
    typeof file !== "string" && (field === "file" || field === "file_gzip") ? [{ field, file }] : [],
  );
  if (files.length > artifactLimits.chunksPerRequest) {
    const reason = `it has more than ${artifactLimits.chunksPerRequest} file`;
    throw analyzerErrors.create("WHENCE_ERR_ARTIFACT_INVALID", [reason]);
  }
  return Promise.all(
    files.map(async ({ field, file }) => {
      const sent = Buffer.from(await file.arrayBuffer());
      return { name: file.name, data: field === "file_gzip" ? await unpackPart(sent) : sent };
    }),
  );
}

async function formOf(body: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  } catch (error) {
    throw analyzerErrors.create("WHENCE_ERR_ARTIFACT_INVALID", ["its form can't be read"], { cause: error });
  }
}

async function unpackPart(packed: Buffer): Promise<Buffer> {
  try {
    return await unpack(packed, { maxOutputLength: artifactLimits.chunkBytesMax });
  } catch (error) {
    throw analyzerErrors.create("WHENCE_ERR_ARTIFACT_INVALID", ["a part can't be unpacked"], { cause: error });
  }
}
