import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { packInstalled } from "./installed-packages.ts";

const manifestSchema = z.looseObject({ name: z.string(), version: z.string() });

/** An npm registry on its own port with some packages as installed here, and no other. */
export interface PackageRegistry {
  readonly url: string;
  /** Returns the requested packages, sorted, each once. */
  asked(): readonly string[];
  close(): Promise<void>;
}

export async function startPackageRegistry(folders: readonly string[]): Promise<PackageRegistry> {
  const tarballs = await mkdtemp(join(tmpdir(), "whence-registry-"));
  const asked = new Set<string>();
  const answers = new Map<string, (url: string) => Promise<string | Buffer>>();
  for (const [index, folder] of folders.entries()) {
    const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
    const { name, version } = manifest;
    const file = `/${index}.tgz`;
    await packInstalled(folder, join(tarballs, file));
    answers.set(file, () => readFile(join(tarballs, file)));
    answers.set(`/${name}`, async (url) => {
      const versions = { [version]: { ...manifest, dist: { tarball: url + file } } };
      return JSON.stringify({ name, "dist-tags": { latest: version }, versions });
    });
  }
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    if (!path.endsWith(".tgz")) asked.add(path.slice(1));
    const answer = await answers.get(path)?.(`http://${request.headers.host}`);
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the registry has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked: () => [...asked].sort(),
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(tarballs, { recursive: true });
    },
  };
}
