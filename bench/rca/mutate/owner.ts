import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type App, sitePackages } from "./app.ts";

/** The owner of an app's file: a published package, or the app. */
export interface Owner {
  /** The name of the package or the app. */
  readonly name: string;
  /** The repository of a package; the name of a service. */
  readonly group: string;
  /** Relative to `/app`; a Python package shares its folder with others. */
  readonly folder: string;
  /** The name in a corpus case. */
  readonly from: string;
}

const packageFolder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
const packageManifest = z.object({
  name: z.string(),
  version: z.string(),
  repository: z.union([z.string(), z.object({ url: z.string() })]).optional(),
});

/** Returns a function that finds the owner of each file of an app in `folder`. */
export function ownersOf(app: App, folder: string): (file: string) => Owner | undefined {
  const itself = {
    name: app.name,
    group: app.name,
    folder: ".",
    from: `${app.kind === "service" ? "services" : "drivers"}/${app.name}`,
  };
  if (app.language === "python") {
    const modules = pythonModules(app, folder);
    return (file) => {
      if (!file.startsWith(sitePackages)) return app.files.includes(file) ? itself : undefined;
      return modules.get(file.slice(sitePackages.length + 1).split("/")[0] ?? "");
    };
  }
  const known = new Map<string, Owner | undefined>();
  return (file) => {
    const root = packageFolder.exec(file)?.[0];
    if (root === undefined) return app.files.includes(file) ? itself : undefined;
    if (!known.has(root)) known.set(root, npmOwner(root, folder));
    return known.get(root);
  };
}

function npmOwner(root: string, folder: string): Owner | undefined {
  const path = join(folder, root, "package.json");
  if (!existsSync(path)) return undefined;
  const { name, version, repository } = packageManifest.parse(JSON.parse(readFileSync(path, "utf8")));
  const url = typeof repository === "string" ? repository : (repository?.url ?? "");
  const [, slug] = /([\w.-]+\/[\w.-]+?)(?:\.git)?(?:#.*)?$/.exec(url) ?? [];
  return { name, group: slug?.toLowerCase() ?? name, folder: root, from: `${name}@${version}` };
}

/** Returns the packages by the modules that their wheels installed, according to the wheels' records. */
function pythonModules(app: App, folder: string): Map<string, Owner> {
  const modules = new Map<string, Owner>();
  for (const found of readdirSync(join(folder, sitePackages)).filter((name) => name.endsWith(".dist-info"))) {
    const name = Object.keys(app.packages).find((wanted) => plain(found).startsWith(`${plain(wanted)}_`));
    if (name === undefined) continue;
    const owner = { name, group: name, folder: sitePackages, from: `${name}@${app.packages[name]}` };
    const record = readFileSync(join(folder, sitePackages, found, "RECORD"), "utf8");
    for (const line of record.split("\n")) modules.set(/^[^/,]*/.exec(line)?.[0] ?? "", owner);
  }
  return modules;
}

const plain = (name: string): string => name.toLowerCase().replace(/[-.]/g, "_");
