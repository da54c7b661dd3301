import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readRepositoryFile, root } from "./repository-files.ts";

/**
 * Licenses that allow using, changing, and redistributing Whence under its own. MPL-2.0 applies only to its own files.
 */
const accepted = new Set([
  ...["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "MPL-2.0"],
  ...["Python-2.0", "Unlicense", "Zlib"],
]);

const billSchema = z.object({
  bomFormat: z.literal("CycloneDX"),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      purl: z.string(),
      licenses: z
        .array(z.object({ license: z.object({ id: z.string() }).optional(), expression: z.string().optional() }))
        .default([]),
    }),
  ),
});

/** Returns what a release ships, as listed by its script. */
function billOfMaterials(): z.infer<typeof billSchema>["components"] {
  const scripts = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readRepositoryFile("package.json")));
  const [pnpm = "", ...args] = (scripts.scripts["release:bill"] ?? "")
    .replace(/ --out \S+/, "")
    .replaceAll("'", "")
    .split(" ");
  const printed = execFileSync("npx", ["-y", `${pnpm}@12`, ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 50_000_000,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return billSchema.parse(JSON.parse(printed)).components;
}

/** Returns the license in the manifest of the installed package. */
function installedLicense({ purl, version }: z.infer<typeof billSchema>["components"][number]): string {
  const name = decodeURIComponent(purl.replace("pkg:npm/", "").replace(/@[^@]+$/, ""));
  const store = join(root, "node_modules/.pnpm");
  const folder = readdirSync(store).find((one) => one.startsWith(`${name.replace("/", "+")}@${version}`)) ?? "";
  const manifest: unknown = JSON.parse(readFileSync(join(store, folder, "node_modules", name, "package.json"), "utf8"));
  return z.object({ license: z.string() }).parse(manifest).license;
}

/** Of licenses to choose from, one is enough; of those that apply together, each has to be accepted. */
function isAccepted(expression: string): boolean {
  const choices = /^\((.+)\)$/.exec(expression)?.[1]?.split(" OR ") ?? [expression];
  return choices.some((choice) => choice.split(" AND ").every((name) => accepted.has(name)));
}

describe("the bill of materials of a release", () => {
  const components = billOfMaterials();

  it("lists what the service runs on, with versions", () => {
    const named = components.map(({ purl }) => purl);
    for (const name of ["fastify", "kysely", "zod", "typescript"])
      expect(named.some((purl) => new RegExp(`^pkg:npm/${name}@\\d`).test(purl))).toBe(true);
  });

  it("contains only packages with licenses under which Whence may be redistributed", () => {
    const refused = components.flatMap((component) => {
      const named = component.licenses.map(({ license, expression }) => license?.id ?? expression ?? "unknown");
      // pnpm reads them from its store, where an optional peer may lack its manifest.
      const names = named.length > 0 ? named : [installedLicense(component)];
      return names.every(isAccepted) ? [] : [`${component.purl}: ${names.join(", ")}`];
    });
    expect(refused).toEqual([]);
  });
});
