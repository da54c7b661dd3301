import { type NamedRelease, releaseNames } from "@whence/protocol";
import type { ReleaseScope, Scoped } from "@whence/storage";

/**
 * Returns a release as its processes name it, with the commit that `whence releases new` reported for it, or else the
 * newest of those that a build tool set.
 */
export async function namedRelease(
  control: Scoped<ReleaseScope>,
  { scopeId, service }: { readonly scopeId: string; readonly service: string },
  release: string,
): Promise<NamedRelease> {
  const { releases, releaseCommits } = control.scope(scopeId);
  const names = releaseNames(release);
  const reported = await releases.commitOf(service, names);
  if (reported !== null) return { name: release, commit: reported };
  const [newest] = await releaseCommits.of(service, names);
  return { name: release, commit: newest?.id ?? null };
}
