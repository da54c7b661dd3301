/** File extensions of code, of templates of queries and interfaces, and of scripts. */
export const codeExtensions: readonly string[] =
  "astro c cc cjs clj cljs cpp cs cts cxx dart erl ex exs fs go gql graphql groovy h hpp hs java js jsx kt kts lua m mjs mm mts php pl prisma proto ps1 py pyx r rb rs scala sh sql svelte swift ts tsx vb vue".split(
    " ",
  );
/** Of settings and data that a program reads or is built from. */
const dataExtensions: readonly string[] =
  "cfg conf csproj fsproj gradle ini json json5 jsonc lock lockfile properties toml xml yaml yml".split(" ");
/** Files without such an extension: how a program is built and run, and its dependencies. */
const namedFile =
  /^(?:(?:docker|container|proc|gem|pip)file|dockerfile[.-][\w.-]+|go\.mod|(?:requirements|constraints)[\w.-]*\.txt)$/i;
/** Hidden files that name settings, without their values, or the version of a runtime. */
const namedHiddenFile =
  /^\.(?:env\.(?:example|sample|template|dist|defaults)|nvmrc|(?:node|python|ruby|java)-version|tool-versions)$/;

const ending = (extensions: readonly string[]): RegExp => new RegExp(`[^/]\\.(?:${extensions.join("|")})$`, "i");
const codeFile = ending(codeExtensions);
const dataFile = ending(dataExtensions);

/** Folders of third-party code, and of leftovers of tests and builds. */
const otherFolders: ReadonlySet<string> = new Set([
  "node_modules",
  "site-packages",
  "vendor",
  "venv",
  "__pycache__",
  "target",
  "coverage",
]);

/** Data that is named after credentials, or lies in a folder that is. */
const credentialName =
  /(?:^|\/)(?:secrets?|credentials?)\/|(?:secret|credential|passw(?:or)?d|private[-_]?key|service[-_]?account|token|kubeconfig)[^/]*$/i;
const listOfDependencies =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|composer\.json|packages\.lock\.json|pyproject\.toml|Cargo\.toml|pom\.xml|go\.mod|(?:Gem|Pip)file|(?:requirements|constraints)[\w.-]*\.txt|pnpm-lock\.yaml|mix\.exs|build\.gradle(?:\.kts)?|[\w.-]+\.(?:lock|lockfile|csproj|fsproj))$/;
const testFile =
  /(?:^|\/)(?:tests?|__tests__|specs?|__mocks__|__snapshots__|fixtures|e2e)\/|[._-](?:test|spec)\.[a-z]+$|_test\.(?:go|py)$|(?:^|\/)test_[^/]*\.py$/i;
/** Scripts and settings that build, measure, or provoke a program. */
const toolFile =
  /^(?:(?!(?:src|lib|app)\/)[^/]+\/)*(?:scripts?|tools?|bench(?:mark)?s?|examples?|docs?|load-?tests?)\/|(?:^|\/)(?:(?:gulp|grunt|rake|make|jake)file|setup\.py|conftest\.py|(?:[\w-]+[-_.])?(?:provoke|repro(?:duce)?|smoke|stress|benchmark|bench|load[-_]?test)(?:[-_.][\w-]+)*\.\w+|(?:webpack|rollup|rolldown|vite|vitest|jest|babel|postcss|tailwind|eslint|prettier|tsup|tsdown|esbuild|playwright|cypress|karma)[\w.-]*\.config\.\w+)$|\.(?:sh|ps1)$/i;

/**
 * What a file of a program is, by its path below the program's root: `code`, or `data`, which includes settings, lists
 * of dependencies, and how the program is built and run. Null for what isn't part of a program, or may hold credentials:
 * hidden files such as `.env`, keys, and data that is named after credentials.
 */
export function programFileKind(path: string): "code" | "data" | null {
  const segments = path.split("/");
  const name = segments.at(-1) ?? "";
  if (segments.slice(0, -1).some((folder) => folder.startsWith("."))) return null;
  if (name.startsWith(".")) return namedHiddenFile.test(name) ? "data" : null;
  if (codeFile.test(path)) return "code";
  if (!dataFile.test(path) && !namedFile.test(name)) return null;
  return credentialName.test(path) ? null : "data";
}

/** Whether a folder of this name holds none of a program's own files: third-party code, or what tests and builds leave. */
export function isOtherFolder(name: string): boolean {
  return otherFolders.has(name);
}

/** Whether a file lists a program's dependencies: a manifest, or a lock file. */
export function listsDependencies(path: string): boolean {
  return listOfDependencies.test(path);
}

/** Whether a file is of a program's tests: their code, or their data. */
export function isTestFile(path: string): boolean {
  return testFile.test(path);
}

/** Whether a file only tests, builds, measures, or provokes a program, by its name: none of it runs in the service. */
export function isBesideProgram(path: string): boolean {
  return isTestFile(path) || toolFile.test(path);
}
