import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type App, sitePackages } from "./app.ts";
import { shuffled } from "./mutation.ts";

const filesMax = 20;
const filesUsual = 12;
/** The minimum number of unrelated files. */
const distractorsMin = 4;
const fileMaxBytes = 200_000;
const notShipped =
  /^(node_modules|__tests__|tests?|docs?|examples?|bench.*|types|locales?|.*\.dist-info|__pycache__|bin|\..*)$/;
const code = /(?<!\.min|\.d)\.([cm]?js|ts|py|json)$/;

/**
 * Returns the files attached to a report: the culprit, the files in the log, files of the app, and other files of the
 * packages involved, in an order that depends only on the seed.
 */
export function chooseFiles(app: App, folder: string, culprit: string, log: string, seed: string): string[] {
  const chosen = new Set<string>();
  const add = (file: string): void => {
    if (chosen.size < filesMax && isAttachable(join(folder, file))) chosen.add(file);
  };
  const named = [...log.matchAll(/\/app\/([^\s:()'"`,]+)/g)].map(([, file = ""]) => file);
  for (const file of [culprit, app.entry, ...named.filter((file) => code.test(file)), ...app.files]) add(file);
  const wanted = Math.min(filesMax, Math.max(chosen.size + distractorsMin, filesUsual));
  for (const root of new Set([culprit, ...named].map(rootOf)))
    for (const file of shuffled(root === undefined ? [] : codeBelow(folder, root), seed, (name) => name))
      if (chosen.size < wanted) add(file);
  return [...chosen].sort();
}

function rootOf(file: string): string | undefined {
  if (file.startsWith(sitePackages))
    return file
      .split("/")
      .slice(0, sitePackages.split("/").length + 1)
      .join("/");
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function codeBelow(folder: string, root: string): string[] {
  if (root.endsWith(".py")) return [];
  return readdirSync(join(folder, root), { withFileTypes: true }).flatMap((entry): string[] => {
    const path = `${root}/${entry.name}`;
    if (entry.isDirectory()) return notShipped.test(entry.name) ? [] : codeBelow(folder, path);
    return /\.([cm]?js|py)$/.test(entry.name) && code.test(entry.name) ? [path] : [];
  });
}

function isAttachable(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size > 0 && found.size < fileMaxBytes;
}
