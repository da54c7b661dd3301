import { readdir, readFile } from "node:fs/promises";
import { dirname, join, posix, relative } from "node:path";
import { z } from "zod";
import { hooks } from "../../.pnpmfile.mjs";
import { tarball } from "./tar.ts";

const sdks: string = join(import.meta.dirname, "..");
const license: string = join(sdks, "../LICENSE");
const scope = "@whence/";
/** Matches an import of a workspace package or one of its entries, in code or in types. */
const workspaceImport = /(\b(?:from|import|require)\s*\(?\s*)(["'])@whence\/([a-z]+)(?:\/([a-z]+))?\2/g;

const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
});
type Manifest = z.infer<typeof manifestSchema>;

/**
 * Packs a built client, named by its folder below `sdks`, as published except that the workspace packages it needs are
 * part of it, since no registry has them. Other dependencies come from the registry.
 *
 * Doesn't use `bundleDependencies`: npm leaves a dependency empty that it puts next to a bundled one (observed with npm
 * 11).
 */
export async function packClient(client: string): Promise<Buffer> {
  const parts = await neededPackages(client);
  const manifests = await Promise.all([client, ...parts].map(publishedManifest));
  const needed = Object.assign({}, ...manifests.map(({ dependencies }) => dependencies));
  const dependencies = Object.fromEntries(Object.entries(needed).filter(([name]) => !name.startsWith(scope)));
  const built = await Promise.all([
    builtFiles(client, "package/dist", parts),
    ...parts.map((part) => builtFiles(part, partFolder(part), parts)),
  ]);
  return tarball(
    new Map([
      ["package/package.json", Buffer.from(`${JSON.stringify({ ...manifests[0], dependencies }, null, 2)}\n`)],
      ["package/LICENSE", await readFile(license)],
      ["package/README.md", await readFile(join(sdks, client, "README.md"))],
      ...built.flat(),
    ]),
  );
}

/** Returns the folders of the workspace packages that a package needs, directly or indirectly. */
async function neededPackages(name: string): Promise<readonly string[]> {
  const { dependencies } = await readManifest(join(sdks, name));
  const direct = Object.keys(dependencies).flatMap((key) => (key.startsWith(scope) ? [key.slice(scope.length)] : []));
  const indirect = await Promise.all(direct.map(neededPackages));
  return [...new Set([...direct, ...indirect.flat()])].sort();
}

/** Returns the manifest as pnpm publishes it: installed versions of dependencies, and nothing for development. */
async function publishedManifest(name: string): Promise<Manifest> {
  const folder = join(sdks, name);
  const manifest = manifestSchema.parse(hooks.beforePacking(await readManifest(folder)));
  const installed = Object.keys(manifest.dependencies).map(async (dependency) => {
    const { version } = await readManifest(join(folder, "node_modules", dependency));
    return [dependency, version] as const;
  });
  return { ...manifest, dependencies: Object.fromEntries(await Promise.all(installed)) };
}

/** Returns where the tarball puts a package that is part of a client. */
function partFolder(part: string): string {
  return `package/dist/${scope}${part}`;
}

/** Returns the build output of a package, at its place in the tarball. */
async function builtFiles(name: string, target: string, parts: readonly string[]): Promise<[string, Buffer][]> {
  const dist = join(sdks, name, "dist");
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.sort().map(async (file): Promise<[string, Buffer]> => {
      const path = posix.join(target, relative(dist, file).replaceAll("\\", "/"));
      const text = await readFile(file, "utf8");
      return [path, Buffer.from(parts.length === 0 ? text : importParts(text, path))];
    }),
  );
}

/** Rewrites a file's imports of bundled packages to paths: each package has a module for its kind. */
function importParts(text: string, path: string): string {
  const ending = /\.(d\.)?cts$|\.cjs$/.test(path) ? ".cjs" : ".js";
  return text.replaceAll(workspaceImport, (_, keyword: string, quote: string, part: string, entry = "index") => {
    const to = posix.relative(dirname(path), `${partFolder(part)}/${entry}${ending}`);
    return `${keyword}${quote}${to.startsWith(".") ? to : `./${to}`}${quote}`;
  });
}

async function readManifest(folder: string): Promise<Manifest> {
  return manifestSchema.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
}
