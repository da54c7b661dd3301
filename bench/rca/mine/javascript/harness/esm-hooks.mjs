let standIns = {};
let folder = "";

export function initialize(data) {
  ({ standIns, folder } = data);
}

/** Resolves imports of a runner to its replacement, as `require` does. */
export function resolve(specifier, context, next) {
  const standIn = Object.hasOwn(standIns, specifier) ? standIns[specifier] : undefined;
  if (standIn === undefined) return next(specifier, context);
  return { url: new URL(standIn, folder).href, format: "commonjs", shortCircuit: true };
}
