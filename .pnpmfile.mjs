/** What a package is developed with is of no use to those who install it, nor is the path of a source it doesn't have. */
function beforePacking({ devDependencies, scripts, ...published }) {
  return JSON.parse(JSON.stringify(published), (key, value) => (key === "@whence/source" ? undefined : value));
}

export const hooks = { beforePacking };
