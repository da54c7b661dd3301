import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isReserved } from "../corpora/reserved.ts";
import type { Execution } from "../mutate/execute.ts";

const languages = ["go"] as const;
const listed = z.array(z.strictObject({ language: z.enum(languages), from: z.string().min(1) }));

/** Code that is mutated: a published package with its tests, or a service of this folder with its traffic. */
export interface Host {
  readonly language: (typeof languages)[number];
  readonly kind: "package" | "service";
  /** `name@version`, or the folder of a service below `bench/rca`. */
  readonly from: string;
  /** The file of its cases. */
  readonly name: string;
  /** The repository of a package, in lower case; the name of a service. */
  readonly group: string;
}

/** What recording needs of a language. */
export interface Ecosystem {
  /** Lays a host out, with all that its tests need, and returns the folder. */
  layOut(host: Host): Promise<string>;
  /** Whether a file can have a mistake: it is code of the host, and no test. */
  isMutable(file: string): boolean;
  /** Runs the tests that concern a file, or the traffic of a service; without a file, all tests. */
  run(host: Host, folder: string, file?: string): Promise<Execution>;
  /** What somebody pastes of a run; undefined when it passed, wasn't compiled, or took too long. */
  failureIn(run: Execution): string | undefined;
}

/** All hosts: the packages of `hosts.json` and the services. */
export function readHosts(): Host[] {
  const packages = listed.parse(JSON.parse(readFileSync(join(import.meta.dirname, "hosts.json"), "utf8")));
  const services = languages.flatMap((language) =>
    readdirSync(join(import.meta.dirname, "services", language)).map(
      (name): Host => ({
        ...{ language, name, group: name, kind: "service" },
        from: `tested/services/${language}/${name}`,
      }),
    ),
  );
  return [...packages.map(({ language, from }) => packageHost(language, from)), ...services];
}

function packageHost(language: Host["language"], from: string): Host {
  const path = from.slice(0, from.indexOf("@")).replace(/\/v\d+$/, "");
  const group = path.replace(/^github\.com\//, "").toLowerCase();
  if (isReserved(path, group)) throw new Error(`${path} is reserved for measuring.`);
  return { language, from, group, kind: "package", name: group.replace(/.*:/, "").replaceAll("/", "-") };
}
