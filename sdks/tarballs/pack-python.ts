import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { tarball } from "./tar.ts";
import { zipArchive } from "./zip.ts";

const folder: string = join(import.meta.dirname, "../python");
const license: string = join(import.meta.dirname, "../../LICENSE");
const manifestSchema = z.looseObject({ version: z.string() });

/**
 * Packs the Python client as a wheel and as a source distribution, by file name. This needs no Python: the client is
 * pure Python and has no dependencies.
 */
export async function packPython(): Promise<ReadonlyMap<string, Buffer>> {
  const { version } = manifestSchema.parse(JSON.parse(await read("package.json")));
  const metadata = Buffer.from(metadataOf(await read("pyproject.toml"), version, await read("README.md")));
  return new Map([
    [`whence-${version}-py3-none-any.whl`, await wheel(version, metadata)],
    [`whence-${version}.tar.gz`, await sourceDistribution(version, metadata)],
  ]);
}

/**
 * Returns the project's page of a simple repository (https://packaging.python.org/en/latest/specifications/simple-repository-api/):
 * it is at `/sdk/simple/whence/`, two folders below the files.
 */
export async function simplePage(files: ReadonlyMap<string, Buffer>): Promise<string> {
  const python = settingOf(await read("pyproject.toml"), "requires-python").replace(">", "&gt;");
  const links = [...files].map(([name, content]) => {
    const sha256 = createHash("sha256").update(content).digest("hex");
    return `<a href="../../${name}#sha256=${sha256}" data-requires-python="${python}">${name}</a><br>\n`;
  });
  return `<!doctype html>\n<meta name="pypi:repository-version" content="1.0">\n<title>whence</title>\n${links.join("")}`;
}

/** Returns a wheel (https://packaging.python.org/en/latest/specifications/binary-distribution-format/). */
async function wheel(version: string, metadata: Buffer): Promise<Buffer> {
  const info = `whence-${version}.dist-info`;
  const files = new Map([
    ...(await sources("src", version)),
    [`${info}/METADATA`, metadata],
    [`${info}/WHEEL`, Buffer.from("Wheel-Version: 1.0\nGenerator: whence\nRoot-Is-Purelib: true\nTag: py3-none-any\n")],
    [`${info}/licenses/LICENSE`, await readFile(license)],
  ]);
  const lines = [...files].map(([path, content]) => `${path},sha256=${digest(content)},${content.length}\n`);
  files.set(`${info}/RECORD`, Buffer.from(`${lines.join("")}${info}/RECORD,,\n`));
  return zipArchive(files);
}

/** Returns a source distribution, which the build backend of pyproject.toml can build. */
async function sourceDistribution(version: string, metadata: Buffer): Promise<Buffer> {
  const project = ["README.md", "package.json", "pyproject.toml"];
  const files = await Promise.all(project.map(async (name) => [name, Buffer.from(await read(name))] as const));
  const all = [
    ["PKG-INFO", metadata],
    ["LICENSE", await readFile(license)],
    ...files,
    ...(await sources(".", version)),
  ] as const;
  return tarball(new Map(all.map(([path, content]) => [`whence-${version}/${path}`, content])));
}

/** Returns the client's modules, by their path in a folder of it. The module with the version is written here. */
async function sources(base: string, version: string): Promise<[string, Buffer][]> {
  const paths = globSync("src/whence/**/{*.py,py.typed}", { cwd: folder }).map((path) => path.replaceAll("\\", "/"));
  return Promise.all(
    paths.sort().map(async (path): Promise<[string, Buffer]> => {
      const isVersion = path === "src/whence/_version.py";
      const content = isVersion
        ? Buffer.from(`__version__ = ${JSON.stringify(version)}\n`)
        : await readFile(join(folder, path));
      return [base === "." ? path : path.slice(base.length + 1), content];
    }),
  );
}

/** Returns the metadata of pyproject.toml in the format of distributions (version 2.4), which ends with the README. */
function metadataOf(project: string, version: string, readme: string): string {
  const [, classifiers = ""] = /^classifiers = \[(.*?)^\]/ms.exec(project) ?? [];
  return [
    "Metadata-Version: 2.4",
    `Name: ${settingOf(project, "name")}`,
    `Version: ${version}`,
    `Summary: ${settingOf(project, "description")}`,
    `License-Expression: ${settingOf(project, "license")}`,
    "License-File: LICENSE",
    ...[...classifiers.matchAll(/"(.+)"/g)].map(([, classifier]) => `Classifier: ${classifier}`),
    `Requires-Python: ${settingOf(project, "requires-python")}`,
    "Description-Content-Type: text/markdown",
    "",
    readme,
  ].join("\n");
}

function settingOf(project: string, key: string): string {
  const [, value] = new RegExp(`^${key} = "(.+)"$`, "m").exec(project) ?? [];
  if (value === undefined) throw new Error(`sdks/python/pyproject.toml has no ${key}`);
  return value;
}

function digest(content: Buffer): string {
  return createHash("sha256").update(content).digest("base64url");
}

function read(name: string): Promise<string> {
  return readFile(join(folder, name), "utf8");
}
