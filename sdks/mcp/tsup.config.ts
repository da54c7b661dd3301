import { defineConfig } from "tsup";

export default defineConfig([
  {
    entry: ["src/index.ts"],
    format: ["esm"],
    target: "node20",
    removeNodeProtocol: false,
    dts: true,
    // The other build writes to the same folder at the same time.
    clean: ["!main.js", "!serve.js"],
  },
  // The command, which Node runs and nothing imports. Two files, since the first must run before dependencies load.
  {
    entry: { main: "src/main.ts", serve: "src/serve.ts" },
    format: ["esm"],
    target: "node20",
    removeNodeProtocol: false,
  },
]);
