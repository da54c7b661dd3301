/**
 * Folders that hold an application in a container, in a home, or on a build machine. They say nothing about the
 * failure.
 */
const roots: readonly RegExp[] = [
  /^\/usr\/src\/app\//,
  /^\/usr\/local\/app\//,
  /^\/var\/(?:task|runtime|www\/[^/]{1,100}|app\/current)\//,
  /^\/(?:app|code|workspace|workspaces\/[^/]{1,100}|layers|function|github\/workspace)\//,
  /^\/(?:home|Users)\/[^/]{1,100}\/(?:[^/]{1,100}\/)?/,
  /^\/(?:srv|opt|root|data|builds\/[^/]{1,100}|mnt|tmp)\/[^/]{1,100}\//,
  /^[A-Za-z]:\/(?:Users\/[^/]{1,100}\/(?:[^/]{1,100}\/)?|[^/]{1,100}\/)?/,
];
/** Folders in which projects keep their code; the path before the first of them is the project's location. */
const sourceFolders =
  /(?:^|\/)((?:src|dist|build|lib|app|apps|packages|server|\.next|out|target|public|assets|static)\/.*)$/;

/** The path that a package manager or a container puts before an installed package's own path. */
const installed = /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|vendor\/bundle)[\\/]/;
const pythonLibrary = /(?:^|[\\/])lib[\\/]python\d/i;
const otherLibrary =
  /(?:^|[\\/])(?:pkg[\\/]mod|\.cargo[\\/](?:registry|git)|gems[\\/][^\\/]{1,200}-\d[^\\/]{0,100}|vendor[\\/](?:github\.com|golang\.org|[\w-]{1,100}[\\/][\w-]{1,100}[\\/]src))[\\/]/;
const javaLibrary =
  /^(?:java|javax|jdk|sun|com\.sun|jakarta|kotlin|scala|org\.(?:springframework|apache|hibernate|eclipse|junit)|io\.netty|com\.fasterxml|com\.zaxxer)\./;

/** Whether the file belongs to an installed package or a language's library. */
export function isInstalled(file: string): boolean {
  return [installed, pythonLibrary, otherLibrary, javaLibrary].some((of) => of.test(file)) || isRuntime(file);
}

/** Whether the file belongs to the runtime. */
export function isRuntime(file: string): boolean {
  return (
    /^(?:node:|internal\/|native$|<frozen |<string>$|ext:|deno:|bun:)/.test(file) ||
    /^(?:java\.lang\.reflect|jdk\.internal|sun\.reflect|java\.base)\b/.test(file) ||
    /^(?:\/rustc\/|library\/(?:std|core|alloc)\/|\/usr\/(?:local|lib)\/go(?:-[\d.]+)?\/src\/|<internal:|\[internal function\]$)/.test(
      file,
    )
  );
}

/** Tracers, which wrap what they watch. With or without one, the failure is the same. */
const instrumentation =
  /(?:^|[\\/])(?:@opentelemetry|opentelemetry|@sentry(?:-internal)?|sentry_sdk|dd-trace|ddtrace|newrelic|elastic-apm-node|elasticapm|@whence|whence|@honeycombio|@splunk|import-in-the-middle|require-in-the-middle|shimmer|wrapt)[\\/]/;
const javaInstrumentation =
  /^(?:io\.opentelemetry|datadog\.trace|com\.newrelic|co\.elastic\.apm|org\.springframework\.(?:aop|cglib))\./;
const generatedCaller =
  /\b(?:GeneratedMethodAccessor|GeneratedConstructorAccessor|NativeMethodAccessorImpl|DelegatingMethodAccessorImpl)\d*\b|\$\$(?:FastClass|Lambda)/;

/** Whether a frame belongs to instrumentation, or to a proxy that only passes the call on. */
export function isInstrumentation(file: string, name: string): boolean {
  return (
    instrumentation.test(file) ||
    javaInstrumentation.test(file) ||
    generatedCaller.test(`${file}.${name}`) ||
    /\$\$(?:Enhancer|SpringCGLIB)/.test(file)
  );
}

/** Returns a file's path without the project's location and without what a build adds to its name. */
export function filePlace(printed: string): string {
  const path = decoded(printed)
    .replace(/^(?:file|webpack-internal|webpack|rsc|app|vite-node):\/{0,3}(?=\/|[A-Za-z]:)/, "")
    .replace(/^https?:\/\/[^/]{1,300}\//, "/")
    .replace(/[?#].*$/, "")
    .replaceAll("\\", "/");
  const package_ = path.lastIndexOf("node_modules/");
  if (package_ !== -1) return built(path.slice(package_ + "node_modules/".length));
  const python = /(?:site|dist)-packages\/(.*)$/.exec(path)?.[1];
  if (python !== undefined) return built(python);
  const root = roots.find((pattern) => pattern.test(path));
  const within = (root ? path.replace(root, "") : path).replace(/^\.?\//, "");
  return built(sourceFolders.exec(within)?.[1] ?? within);
}

function decoded(text: string): string {
  if (!text.includes("%20")) return text;
  return text.replaceAll("%20", " ");
}

/** Replaces bundler hashes and numbers with placeholders. */
function built(path: string): string {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  return [...folders.map((folder) => (isHash(folder) ? "<hash>" : folder.replace(/\d+/g, "<n>"))), fileName(name)].join(
    "/",
  );
}

/**
 * Normalizes names such as `main.8f3a2b1c.js`, `chunk-3F2E7C41.mjs`, `index-BHx9kQ2a.js`,
 * `vendors~main.1a2b3c.chunk.js`.
 */
function fileName(name: string): string {
  return name
    .split(/(?<=[.~-])|(?=[.~-])/)
    .map((part) => (isHash(part) ? "<hash>" : part.replace(/\d+/g, "<n>")))
    .join("")
    .replace(/[.-]<hash>-<hash>/g, "-<hash>");
}

const viteHashLength = 8;

function isHash(part: string): boolean {
  if (/^(?=.*\d)[0-9a-f]{6,64}$/i.test(part) && /[a-f]/i.test(part)) return true;
  // Eight characters of base64. A word of eight letters has no digit, and no two capitals in unusual places.
  return (
    part.length === viteHashLength && /^[\w-]+$/.test(part) && /[A-Z]/.test(part) && /[a-z]/.test(part) && isOdd(part)
  );
}

/** Whether capitals and digits are where no name of two words has them. */
function isOdd(part: string): boolean {
  return /\d/.test(part) || /[A-Z]{2}[a-z]|[A-Z][a-z]?[A-Z]/.test(part);
}
