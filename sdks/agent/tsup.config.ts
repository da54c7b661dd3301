import { defineConfig } from "tsup";

export default defineConfig([
  {
    entry: ["src/index.ts"],
    format: ["esm", "cjs"],
    target: "node18",
    removeNodeProtocol: false,
    dts: true,
    // The other build writes to the same folder at the same time.
    clean: ["!main.js", "!watch.cjs", "!python"],
  },
  // The command, which Node runs and nothing imports.
  {
    entry: { main: "src/main.ts" },
    format: ["esm"],
    target: "node18",
    removeNodeProtocol: false,
    splitting: false,
  },
  // What `whence prove` loads into the programs that it watches.
  {
    entry: { watch: "src/watch/node/preload.ts" },
    // The same for Python, as it is.
    publicDir: "src/watch/public",
    format: ["cjs"],
    target: "node18",
    removeNodeProtocol: false,
    splitting: false,
  },
]);
