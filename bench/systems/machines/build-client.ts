import { join } from "node:path";
import { build } from "tsup";

/** Compiles the client into a folder; returns the file. */
export async function buildClient(folder: string): Promise<string> {
  await build({
    ...{ format: "cjs", silent: true, dts: false, clean: false, config: false, target: "node24", splitting: false },
    entry: { client: join(import.meta.dirname, "client-entry.ts") },
    ...{ outDir: folder, outExtension: () => ({ js: ".cjs" }), removeNodeProtocol: false },
    noExternal: [/^@whence\//],
    esbuildOptions(options) {
      options.conditions = ["@whence/source"];
    },
  });
  return join(folder, "client.cjs");
}
