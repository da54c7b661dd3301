import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/limits.ts", "src/redaction.ts", "src/level.ts"],
  format: ["esm", "cjs"],
  target: "node18",
  dts: true,
  clean: true,
});
