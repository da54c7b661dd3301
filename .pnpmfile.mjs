/** Where a workflow of GitHub packs: npm compares it with the provenance and refuses a package that names another. */
function repository({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }) {
  return server && name ? { repository: { type: "git", url: `git+${server}/${name}.git` } } : {};
}

/** What a package is developed with is of no use to those who install it, nor is the path of a source it doesn't have. */
function beforePacking({ devDependencies, scripts, ...published }) {
  const text = JSON.stringify({ ...published, ...repository(process.env) });
  return JSON.parse(text, (key, value) => (key === "@whence/source" ? undefined : value));
}

export const hooks = { beforePacking };
