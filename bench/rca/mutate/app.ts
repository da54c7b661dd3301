import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";

const manifest = z.strictObject({
  language: z.enum(["javascript", "typescript", "python"]),
  /** The program that runs the app: it sends the requests or does the work, then exits. Never mutated. */
  entry: z.string().min(1),
  /** Published packages in fixed versions. */
  packages: z.record(z.string(), z.string()).default({}),
  env: z.record(z.string(), z.string()).default({}),
});

/** A program to run: a driver, whose packages are mutated, or a service, whose own files are. */
export interface App extends z.infer<typeof manifest> {
  readonly name: string;
  readonly kind: "package" | "service";
  readonly folder: string;
  /** Relative to the app's folder, without the manifest. */
  readonly files: readonly string[];
}

/** The folder of Python packages, relative to the app. */
export const sitePackages = "venv/lib/python3.11/site-packages";

/** Reads every app below `drivers/` and `services/`, drivers first. */
export function readApps(): App[] {
  return globSync("{drivers,services}/*/app.json", { cwd: import.meta.dirname })
    .sort()
    .map(readApp);
}

function readApp(path: string): App {
  const folder = join(import.meta.dirname, dirname(path));
  const files = globSync("**/*.*", { cwd: folder, exclude: (name) => name === "__pycache__" });
  return {
    ...manifest.parse(JSON.parse(readFileSync(join(import.meta.dirname, path), "utf8"))),
    name: basename(folder),
    kind: path.startsWith("drivers") ? "package" : "service",
    folder,
    files: [...files, ...globSync(".env", { cwd: folder })].filter((file) => file !== "app.json").sort(),
  };
}
