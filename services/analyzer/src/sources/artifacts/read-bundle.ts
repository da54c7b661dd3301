import { withoutCredentials } from "@whence/protocol";
import { type ReleaseFiles, releaseFilesOf } from "./release-files-of.ts";
import { InvalidBundle, unpackBundle } from "./unpack-bundle.ts";

/** What a bundle contains, or why it can't be read. */
export type BundleContent =
  | { readonly kind: "read"; readonly files: ReleaseFiles }
  | { readonly kind: "invalid"; readonly reason: string };

/** Returns what is kept of a bundle, with credentials masked. */
export async function readBundle(bundle: Uint8Array): Promise<BundleContent> {
  try {
    const { texts, built } = releaseFilesOf(
      await unpackBundle(Buffer.from(bundle.buffer, bundle.byteOffset, bundle.length)),
    );
    // A map without its sources has no values, and its mappings may look like one.
    const masked = new Map(
      [...texts].map(([path, text]) => [path, path.endsWith(".map") ? text : withoutCredentials(text, path)]),
    );
    return { kind: "read", files: { texts: masked, built } };
  } catch (error) {
    if (error instanceof InvalidBundle) return { kind: "invalid", reason: error.message };
    throw error;
  }
}
