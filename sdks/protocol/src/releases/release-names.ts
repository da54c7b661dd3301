/**
 * Returns the names that people use for a release that a client reports as `shop@2.0.0+1a2b3c4`: that one,
 * `shop@2.0.0`, and `2.0.0`.
 */
export function releaseNames(release: string): readonly string[] {
  const withoutCommit = release.replace(/\+[^+]*$/, "");
  const version = withoutCommit.slice(withoutCommit.lastIndexOf("@") + 1);
  return [...new Set([release, withoutCommit, version])].filter((name) => name !== "");
}
