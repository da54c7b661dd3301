import { type NamedRelease, releaseNames } from "@whence/protocol";
import type { ReleaseScope, Scoped } from "@whence/storage";

/** Returns a release as its processes name it, with the commit that `whence releases new` reported for it. */
export async function namedRelease(
  control: Scoped<ReleaseScope>,
  { scopeId, service }: { readonly scopeId: string; readonly service: string },
  release: string,
): Promise<NamedRelease> {
  const commit = await control.scope(scopeId).releases.commitOf(service, releaseNames(release));
  return { name: release, commit };
}
