/** Where a workflow of GitHub packs: npm compares it with the provenance and refuses a package that names another. */
function repository({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }) {
  return server && name ? { repository: { type: "git", url: `git+${server}/${name}.git` } } : {};
}

/** The path of a source that a package doesn't have, and the dependency that the build of `@whence/protocol` contains. */
const leftOut = ["@whence/source", "diff"];

/** What a package is developed with is of no use to those who install it. */
function beforePacking({ devDependencies, scripts, ...published }) {
  const text = JSON.stringify({ ...published, ...repository(process.env) });
  return JSON.parse(text, (key, value) => (leftOut.includes(key) ? undefined : value));
}

export const hooks = { beforePacking };
