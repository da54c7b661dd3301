import { buffer } from "node:stream/consumers";
import { parseJson } from "@whence/protocol";
import { fromBufferPromise } from "yauzl";
import { z } from "zod";
import { artifactLimits } from "./artifact-limits.ts";

const manifestFile = "manifest.json";

const manifestSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      type: z.string().optional(),
      url: z.string(),
      headers: z.record(z.string(), z.string()).default({}),
    }),
  ),
});

/** One file of a bundle. */
export interface BundledFile {
  /** `minified_source`, `source_map`, and others. */
  readonly type: string;
  /** Where it is served: `~/static/shop.js`, or a URL. */
  readonly url: string;
  /** Names in lowercase. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** A bundle that can't be taken, and why. */
export class InvalidBundle extends Error {
  override readonly name = "InvalidBundle";
}

/**
 * Unpacks a bundle of artifacts: a ZIP with a manifest, behind a short header. Rejects with {@link InvalidBundle} when it
 * is none, or has more than {@link artifactLimits} allow.
 */
export async function unpackBundle(bundle: Buffer): Promise<readonly BundledFile[]> {
  const texts = await unpackTexts(bundle);
  const manifest = manifestSchema.safeParse(parseJson(texts.get(manifestFile) ?? "")).data;
  if (!manifest) throw new InvalidBundle(`the bundle has no readable ${manifestFile}`);
  return Object.entries(manifest.files).flatMap(([path, { type = "", url, headers }]) => {
    const text = texts.get(path);
    if (text === undefined) return [];
    const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    return [{ type, url, headers: named, text }];
  });
}

async function unpackTexts(bundle: Buffer): Promise<ReadonlyMap<string, string>> {
  const { bundleFilesMax, bundleUnpackedBytesMax } = artifactLimits;
  const texts = new Map<string, string>();
  let bytes = 0;
  try {
    const zip = await fromBufferPromise(bundle);
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith("/")) continue;
      // Sizes are validated while unpacking.
      bytes += entry.uncompressedSize;
      if (texts.size > bundleFilesMax) throw new InvalidBundle(`the bundle has more than ${bundleFilesMax} files`);
      if (bytes > bundleUnpackedBytesMax) {
        throw new InvalidBundle(`the bundle has more than ${bundleUnpackedBytesMax} bytes unpacked`);
      }
      texts.set(entry.fileName, (await buffer(await zip.openReadStreamPromise(entry))).toString("utf8"));
    }
  } catch (error) {
    if (error instanceof InvalidBundle) throw error;
    throw new InvalidBundle("the bundle isn't a ZIP that can be read", { cause: error });
  }
  return texts;
}
