import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { defineConfig } from "tsup";

/** Part of the build, and dropped from the manifest when it is packed. Its license asks to be repeated. */
const bundled = "diff";
const licenseFile: string = join(dirname(createRequire(import.meta.url).resolve(`${bundled}/package.json`)), "LICENSE");

export default defineConfig({
  entry: {
    index: "src/index.ts",
    limits: "src/limits.ts",
    redaction: "src/redaction.ts",
    level: "src/level.ts",
    credentials: "src/telemetry/credential-patterns.ts",
  },
  format: ["esm", "cjs"],
  target: "node18",
  dts: true,
  clean: true,
  noExternal: [bundled],
  footer: { js: `/*! Contains ${bundled}:\n${readFileSync(licenseFile, "utf8").trim()}\n*/` },
});
