/** Returns a path with `/` between folders, without `file://`, a bundler's scheme, or a query. */
export function normalizePath(path: string): string {
  const slashed = path.includes("\\") ? path.replaceAll("\\", "/").replace(/\/{2,}/g, "/") : path;
  const local = slashed.startsWith("file://") ? decodePath(slashed.slice("file://".length)) : slashed;
  const bundled = withoutBundler(local);
  const query = bundled.indexOf("?");
  const plain = (query < 0 ? bundled : bundled.slice(0, query)).replace(/^(?:\.\/|\/(?=[A-Za-z]:\/))/, "");
  return plain.replace(projectRoot, "");
}

/** What clients of error trackers put in place of the folder that an application is in. */
const projectRoot = /^(?:\[PROJECT_ROOT\]|\/PROJECT_ROOT)\//;

/** `webpack://app/./src/a.ts`, `webpack-internal:///(rsc)/./src/a.ts`, `turbopack:///[project]/src/a.ts`, `app:///a.js`, `/@fs/srv/a.ts`. */
const bundlerScheme =
  /^(?:webpack|webpack-internal|turbopack|turbopack-[a-z]{1,20}|ng|rollup|app|metro|capacitor|electron):\/\//;
/** Layers and roots that bundlers put in front of the path. */
const bundlerRoot = /^(?:\([a-z-]{1,20}\)|\[project\]|@fs)\//;

function withoutBundler(path: string): string {
  const scheme = bundlerScheme.exec(path);
  if (scheme) return path.slice(path.indexOf("/", scheme[0].length) + 1).replace(bundlerRoot, "");
  return path.startsWith("/@fs/") ? path.slice("/@fs".length) : path;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray `%` in a folder's name: the path stays as it is.
    return path;
  }
}
