import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";
import type { Environment, Frame, NamedFunction } from "../ecosystem.ts";
import { literally } from "../pattern.ts";
import { sitePackages, toolsFolder } from "./environment.ts";
import { codeFolder, isTestPath } from "./package-files.ts";

const start = "Traceback (most recent call last):";
const frameLine = /^ {2}File "(.*?)", line (\d+), in (.*)$/;

/** The frames of the first stack in a log, the one that threw first on top. */
export function framesOf(log: string): Frame[] {
  const lines = log.split("\n");
  const from = lines.indexOf(start);
  const rest = lines.slice(from + 1);
  const end = rest.findIndex((line) => /^\S/.test(line));
  return rest
    .slice(0, end < 0 ? undefined : end)
    .flatMap((line) => {
      const [whole, path = "", number, name = ""] = frameLine.exec(line) ?? [];
      if (whole === undefined) return [];
      const file = path.startsWith("/app/") ? path.slice("/app/".length) : undefined;
      return [{ function: name === "<module>" ? "" : name, file, line: Number(number), column: 0 }];
    })
    .reverse();
}

/** The files of the application that a log names, relative to `/app`. */
export function filesIn(log: string): string[] {
  return [...log.matchAll(/^ {2}File "\/app\/(.*?)", line /gm)].flatMap(([, file]) => file ?? []);
}

const logUnitsMax = 20_000;

/** What a service would print of an error, with the tests as its own files and without folders of this machine. */
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

const named = z.array(z.strictObject({ name: z.string(), from: z.number(), to: z.number() }));

/** Every function of a file, outer ones first; none of a file that doesn't parse. */
export function functionsOf(text: string): readonly NamedFunction[] {
  const { stdout } = spawnSync("python3", [join(import.meta.dirname, "functions.py")], {
    input: text,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  return named.parse(JSON.parse(stdout));
}
