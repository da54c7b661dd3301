import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder, fetchPackages, unpackedFolder } from "../corpora/package-cache.ts";
import { type App, sitePackages } from "./app.ts";

const installTimeoutMs = 300_000;

/** Creates copies of an app with its packages, one for each concurrent process. They are deleted when this one exits. */
export async function layOut(app: App, copies: number): Promise<string[]> {
  const installed = await install(app);
  const runFolder = join(cacheFolder, "run");
  mkdirSync(runFolder, { recursive: true });
  return Array.from({ length: copies }, (_, index) => {
    const folder = mkdtempSync(join(runFolder, `${app.name}-${index}-`));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    // The mutated program may run as another user.
    chmodSync(folder, 0o755);
    cpSync(installed, folder, { recursive: true, verbatimSymlinks: true });
    for (const file of app.files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(app.folder, file), join(folder, file));
    }
    mkdirSync(join(folder, "tmp"));
    chmodSync(join(folder, "tmp"), 0o777);
    return folder;
  });
}

async function install(app: App): Promise<string> {
  const folder = join(cacheFolder, "apps", app.name);
  const done = join(folder, ".installed");
  const key = JSON.stringify(app.packages);
  if (existsSync(done) && readFileSync(done, "utf8") === key) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (app.language === "python") await installWheels(app, folder);
  else installTarballs(app, folder);
  writeFileSync(done, key);
  return folder;
}

function installTarballs(app: App, folder: string): void {
  const type = app.files.some((file) => file.endsWith(".ts")) ? { type: "module" } : {};
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: app.name, version: "1.0.0", private: true, ...type, dependencies: app.packages }),
  );
  if (Object.keys(app.packages).length === 0) return;
  const options = ["--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...options], { cwd: folder, timeout: installTimeoutMs, stdio: "inherit" });
}

/**
 * Installs wheels. Bytecode is validated against a hash of its source, since files change faster than their timestamps.
 */
async function installWheels(app: App, folder: string): Promise<void> {
  const target = join(folder, sitePackages);
  mkdirSync(target, { recursive: true });
  const specs = Object.entries(app.packages).map(([name, version]) => `${name}@${version}`);
  await fetchPackages("wheel", specs);
  for (const spec of specs) cpSync(unpackedFolder("wheel", spec), target, { recursive: true });
  execFileSync("/usr/bin/python3", [
    "-m",
    "compileall",
    "-q",
    "--invalidation-mode",
    "checked-hash",
    "-s",
    folder,
    target,
  ]);
}
