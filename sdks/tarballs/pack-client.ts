import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { hooks } from "../../.pnpmfile.mjs";
import { tarball } from "./tar.ts";

const sdks: string = join(import.meta.dirname, "..");
const license: string = join(sdks, "../LICENSE");
const scope = "@whence/";

const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
});
type Manifest = z.infer<typeof manifestSchema>;

/**
 * Packs a client that was built, by its folder below `sdks`, as it is published but for one thing: the packages of the
 * workspace that it needs are bundled, since no registry has them. What it needs of others comes from the registry.
 */
export async function packClient(client: string): Promise<Buffer> {
  const bundled = await bundledPackages(client);
  const manifests = await Promise.all([client, ...bundled].map(publishedManifest));
  const dependencies = Object.assign({}, ...manifests.map((manifest) => manifest.dependencies));
  const [own] = manifests;
  const bundleDependencies = bundled.map((name) => scope + name);
  const files = await Promise.all([
    packageFiles(client, "package", { ...own, dependencies, bundleDependencies }),
    ...bundled.map((name, index) =>
      packageFiles(name, `package/node_modules/${scope}${name}`, manifests[index + 1] ?? {}),
    ),
  ]);
  return tarball(new Map(files.flat()));
}

/** The folders of the packages of the workspace that one needs, directly or through others. */
async function bundledPackages(name: string): Promise<readonly string[]> {
  const { dependencies } = await readManifest(join(sdks, name));
  const direct = Object.keys(dependencies).flatMap((key) => (key.startsWith(scope) ? [key.slice(scope.length)] : []));
  const indirect = await Promise.all(direct.map(bundledPackages));
  return [...new Set([...direct, ...indirect.flat()])].sort();
}

/** As pnpm publishes it: dependencies by the version that is installed, nothing that only development needs. */
async function publishedManifest(name: string): Promise<Manifest> {
  const folder = join(sdks, name);
  const manifest = manifestSchema.parse(hooks.beforePacking(await readManifest(folder)));
  const installed = Object.keys(manifest.dependencies).map(async (dependency) => {
    const { version } = await readManifest(join(folder, "node_modules", dependency));
    return [dependency, version] as const;
  });
  return { ...manifest, dependencies: Object.fromEntries(await Promise.all(installed)) };
}

async function packageFiles(name: string, root: string, manifest: object): Promise<(readonly [string, Buffer])[]> {
  const folder = join(sdks, name);
  const built = await readdir(join(folder, "dist"), { recursive: true, withFileTypes: true });
  const paths = built.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const readme = (await readdir(folder)).filter((file) => file === "README.md").map((file) => join(folder, file));
  const files = [...paths.sort(), ...readme].map(
    async (path) => [root + path.slice(folder.length).replaceAll("\\", "/"), await readFile(path)] as const,
  );
  return [
    [`${root}/package.json`, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
    [`${root}/LICENSE`, await readFile(license)],
    ...(await Promise.all(files)),
  ];
}

async function readManifest(folder: string): Promise<Manifest> {
  return manifestSchema.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
}
