import type { Environment } from "../ecosystem.ts";
import { literally } from "../pattern.ts";
import { sitePackages, toolsFolder } from "./environment.ts";
import { codeFolder, isTestPath } from "./package-files.ts";

/** Returns the application's files named in a log, relative to `/app`. */
export function filesIn(log: string): string[] {
  return [...log.matchAll(/^ {2}File "\/app\/(.*?)", line /gm)].flatMap(([, file]) => file ?? []);
}

const logUnitsMax = 20_000;

/**
 * Returns what a service would print for an error, with the tests as its own files and without folders of this machine.
 */
export function asServiceLog(text: string, { app, installed, pair }: Environment): string {
  const { tester } = pair.unpacked;
  const root = codeFolder(tester).slice(tester.length);
  const inPackage = new RegExp(`${literally(`${installed}/`)}([^\\s:'"]*)`, "g");
  return text
    .replace(inPackage, (whole, path: string) => (isTestPath(path) ? `/app${root}/${path}` : whole))
    .replaceAll(app, "/app")
    .replaceAll(toolsFolder, `/app/${sitePackages}`)
    .replaceAll(/\/tmp\/mine-\w+/g, "/tmp")
    .replaceAll("/usr/lib/python3", "/usr/local/lib/python3")
    .slice(0, logUnitsMax)
    .trimEnd();
}
