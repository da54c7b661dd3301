/** Where a workflow of GitHub packs: npm compares it with the provenance and refuses a package that names another. */
function repository({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }) {
  return server && name ? { repository: { type: "git", url: `git+${server}/${name}.git` } } : {};
}

/** What the build of `@whence/protocol` contains, so that clients need nothing but zod from a registry. */
const bundled = "diff";

/** What a package is developed with is of no use to those who install it, nor is the path of a source it doesn't have. */
function beforePacking({ devDependencies, scripts, ...published }) {
  const { [bundled]: _, ...dependencies } = published.dependencies ?? {};
  const needed = Object.keys(dependencies).length === 0 ? {} : { dependencies };
  const text = JSON.stringify({ ...published, dependencies: undefined, ...needed, ...repository(process.env) });
  return JSON.parse(text, (key, value) => (key === "@whence/source" ? undefined : value));
}

export const hooks = { beforePacking };
