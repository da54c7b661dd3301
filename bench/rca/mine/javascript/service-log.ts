import { join } from "node:path";
import type { Environment } from "../ecosystem.ts";
import { literally } from "../pattern.ts";
import { toolsFolder } from "./environment.ts";
import { isTestPath } from "./package-files.ts";
import { harnessFolder } from "./test-run.ts";

const frameLine = /^\s+at /;

/** Returns the application's files named in a log, relative to `/app`. */
export function filesIn(log: string): string[] {
  return [...log.matchAll(/\/app\/([^\s:()'"`]+\.(?:[cm]?js|json))\b/g)].flatMap(([, file]) => file ?? []);
}

const logUnitsMax = 20_000;

/** Returns what a service would print for an error, without frames of the harness and folders of this machine. */
export function asServiceLog(text: string, environment: Environment): string {
  return withPlaces(withoutHarness(text), environment).slice(0, logUnitsMax).trimEnd();
}

/** Drops the frames of the harness and those below them in the same stack. */
function withoutHarness(text: string): string {
  const kept: string[] = [];
  let below = false;
  for (const line of text.split("\n")) {
    const isFrame = frameLine.test(line);
    below = isFrame && (below || line.includes(harnessFolder));
    if (!below) kept.push(line);
    // The properties of the error follow its last frame.
    else if (line.endsWith(" {")) kept.push(`${kept.pop() ?? ""} {`);
  }
  return kept.join("\n");
}

function withPlaces(text: string, { app, installed }: Environment): string {
  const inPackage = new RegExp(`${literally(`${installed}/`)}([^\\s:()'"]*)`, "g");
  return text
    .replace(inPackage, (whole, path: string) => (isTestPath(path) ? `/app/${path}` : whole))
    .replaceAll(app, "/app")
    .replaceAll(toolsFolder, "/app")
    .replaceAll(/\/tmp\/mine-\w+/g, "/tmp")
    .replaceAll(join(process.execPath, "../.."), "/usr/local");
}
