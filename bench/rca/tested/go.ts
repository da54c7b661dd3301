import { cpSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder, fetchPackages, unpackedFolder } from "../corpora/package-cache.ts";
import { type Execution, executeCommand } from "../mutate/execute.ts";
import type { Ecosystem } from "./host.ts";
import { writableFolder } from "./writable-folder.ts";

const timeLimitMs = 240_000;

/** Modules of Go with their own tests, run by `go test`; a service is run by its `traffic` program. */
export const go: Ecosystem = {
  async layOut(host) {
    for (const shared of ["go-build", "go-modules"]) writableFolder(shared, true);
    const folder = writableFolder(join("run", `go-${host.name}`));
    if (host.kind === "service") cpSync(join(import.meta.dirname, "..", host.from), folder, { recursive: true });
    else {
      await fetchPackages("go", [host.from]);
      cpSync(unpackedFolder("go", host.from), folder, { recursive: true });
    }
    mkdirSync(join(folder, "tmp"), { recursive: true });
    if (!existsSync(join(folder, "go.mod"))) await goCommand(folder, ["mod", "init", host.from.replace(/@.*/, "")]);
    return writableFolder(join("run", `go-${host.name}`), true);
  },

  isMutable: (file) =>
    file.endsWith(".go") &&
    !/(?:_test|_string|\.pb)\.go$|(?:^|\/)(?:_?examples?|testdata|cmd|traffic|internal\/testutil|vendor)\//.test(file),

  run(host, folder, file) {
    if (host.kind === "service") return goCommand(folder, ["run", "./traffic"]);
    const packages = file === undefined ? "./..." : `./${dirname(file)}`;
    return goCommand(folder, ["test", "-vet=off", "-timeout=60s", packages]);
  },

  failureIn({ code, stdout, stderr }: Execution) {
    const log = `${stdout}\n${stderr}`.trim();
    const isFailure = /^panic: |^--- FAIL|^fatal error: |panic serving/m.test(log);
    const isOther = /\[(?:build|setup) failed\]|test timed out|^# |all goroutines are asleep/m.test(log);
    return code === undefined || !isFailure || isOther ? undefined : log;
  },
};

function goCommand(folder: string, parameters: readonly string[]): Promise<Execution> {
  return executeCommand(folder, {
    arguments: ["go", ...parameters],
    timeLimitMs,
    env: {
      PATH: process.env.PATH ?? "",
      GOFLAGS: "-mod=mod -p=1",
      GOCACHE: join(cacheFolder, "go-build"),
      GOMODCACHE: join(cacheFolder, "go-modules"),
    },
  });
}
