import { join } from "node:path";
import { limits, type SourceCommit } from "@whence/protocol";
import type { WhenceClient } from "../client.ts";
import { agentErrors } from "../errors.ts";
import { readSentFile } from "./read-sent-file.ts";
import type { ReleaseFiles } from "./release-files.ts";

/** A release to upload, and its folder. */
export interface ReleaseUpload extends ReleaseFiles {
  readonly folder: string;
  readonly service: string;
  readonly release: string;
  readonly commit: SourceCommit | null;
}

/** Room for JSON other than the texts. */
const jsonBytes = 65_536;
/** More than one, since a file may change, or the service may delete a text, during the upload. */
const roundsMax = 3;

/** Uploads the contents that the service lacks, then the list of files. Resolves with the number of contents sent. */
export async function uploadRelease(client: WhenceClient, upload: ReleaseUpload, signal: AbortSignal): Promise<number> {
  const { service, release, commit, entries } = upload;
  let sent = 0;
  for (let round = 0; round < roundsMax; round += 1) {
    const { stored, missing } = await client.putSources({ service, release, commit, files: [...entries] }, signal);
    if (stored) return sent;
    for await (const contents of batches(upload, missing)) {
      await client.addSourceContents({ contents }, signal);
      sent += contents.length;
    }
  }
  throw agentErrors.create("WHENCE_ERR_SOURCES_CHANGED", [upload.folder]);
}

/** Yields the missing contents in groups that each fit into one request. */
async function* batches({ folder, pathOf }: ReleaseUpload, missing: readonly string[]): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const sha256 of missing) {
    const file = await readSentFile(join(folder, pathOf.get(sha256) ?? ""), limits.sourceFileBytesMax);
    if (file.outcome !== "read") continue;
    const size = Buffer.byteLength(JSON.stringify(file.text)) + 1;
    if (batch.length > 0 && bytes + size > limits.sourceUploadBytesMax - jsonBytes) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(file.text);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
