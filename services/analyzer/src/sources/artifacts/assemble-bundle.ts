import { createHash, hash } from "node:crypto";
import { limits, utf8Length } from "@whence/protocol";
import type { ArtifactRepository, ArtifactScope, Scoped, SourceRoom, SourceScope } from "@whence/storage";
import { artifactLimits } from "./artifact-limits.ts";
import type { BundleReader } from "./bundle-reader.ts";
import type { ReleaseFiles } from "./release-files-of.ts";
import { InvalidBundle } from "./unpack-bundle.ts";

/** A bundle whose parts were uploaded. */
export interface AssembledBundle {
  readonly scopeId: string;
  /** Of all parts together, in hex. */
  readonly sha1: string;
  /** The SHA-1 of each, in their order. */
  readonly chunks: readonly string[];
  readonly services: readonly string[];
  /** Null when only debug IDs lead to its files. */
  readonly release: string | null;
  readonly keyId: string;
}

/** What became of a bundle. */
export type Assembled =
  | { readonly outcome: "stored" }
  | { readonly outcome: "missing"; readonly chunks: readonly string[] }
  | { readonly outcome: "invalid"; readonly reason: string }
  | { readonly outcome: "no-room" };

interface AssemblingContext {
  readonly control: Scoped<ArtifactScope & SourceScope>;
  readonly clock: () => number;
  readonly room: SourceRoom;
  readonly readBundle: BundleReader["read"];
}

/** Of its checksum, in the name of a bundle without a release. */
const bundleNameLength = 12;
/** Texts that are stored by one statement, in bytes. */
const storedAtOnceBytes = 8_388_608;

/**
 * Stores the files of a bundle as sources of each of its services, beside those that the release has already. A bundle
 * without a release is a release of its own, to which debug IDs lead.
 */
export async function assembleBundle(context: AssemblingContext, bundle: AssembledBundle): Promise<Assembled> {
  const { artifacts } = context.control.scope(bundle.scopeId);
  const missing = await artifacts.missingChunks(bundle.chunks, new Date(context.clock()));
  if (missing.length > 0) return { outcome: "missing", chunks: missing };
  try {
    const files = await context.readBundle(await joined(artifacts, bundle));
    const isStored = await store(context, bundle, files);
    if (!isStored) return { outcome: "no-room" };
    await artifacts.removeChunks(bundle.chunks);
    return { outcome: "stored" };
  } catch (error) {
    if (!(error instanceof InvalidBundle)) throw error;
    await artifacts.removeChunks(bundle.chunks);
    return { outcome: "invalid", reason: error.message };
  }
}

async function joined(artifacts: ArtifactRepository, { sha1, chunks }: AssembledBundle): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    const part = await artifacts.chunk(chunk);
    bytes += part?.length ?? 0;
    if (bytes > artifactLimits.bundleBytesMax) {
      throw new InvalidBundle(`the bundle has more than ${artifactLimits.bundleBytesMax} bytes: upload it in parts`);
    }
    if (part) parts.push(part);
  }
  const bundle = Buffer.concat(parts);
  if (createHash("sha1").update(bundle).digest("hex") === sha1) return bundle;
  throw new InvalidBundle("the bundle isn't what its checksum says: upload it again");
}

/** Stores the files for each service; false when the organization has no room for them. */
async function store(
  { control, clock, room }: AssemblingContext,
  { scopeId, sha1, services, release: named, keyId }: AssembledBundle,
  { texts, built }: ReleaseFiles,
): Promise<boolean> {
  const { sources, artifacts } = control.scope(scopeId);
  const release = named ?? `bundle ${sha1.slice(0, bundleNameLength)}`;
  for (const some of inParts([...texts.values()])) {
    if (!(await sources.addContents(some, room.bytesMax, new Date(clock())))) return false;
  }
  const files = [...texts].map(([path, text]) => ({ path, sha256: hash("sha256", text) }));
  for (const service of services) {
    const put = await sources.add(
      { service, release, files, keyId, now: new Date(clock()) },
      { ...room, filesMax: limits.sourceFilesMax },
    );
    if (put.outcome === "too-many-files") {
      throw new InvalidBundle(`${service} ${release} would have more than ${limits.sourceFilesMax} files`);
    }
    if (put.outcome !== "stored") return false;
    await artifacts.putFiles(
      service,
      [...built].map(([debugId, path]) => ({ debugId, release, path })),
    );
  }
  return true;
}

function* inParts(texts: readonly string[]): Generator<readonly string[]> {
  let part: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    part.push(text);
    bytes += utf8Length(text);
    if (bytes < storedAtOnceBytes) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
}
