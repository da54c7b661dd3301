import { getOrder, type MatrixProgram } from "../matrix-program.ts";

export const nitro: MatrixProgram = {
  name: "nitro-2",
  title: "Nitro, built for Node",
  packages: { nitropack: "2.13.6" },
  files: {
    "nitro.config.mjs": 'export default { preset: "node-server", compatibilityDate: "2026-01-01", sourceMap: true };',
    "plugins/whence.js": `
import { captureException, init } from "@whence/node"; // coded

export default defineNitroPlugin((nitro) => {
  init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT, watchServers: true }); // coded
  nitro.hooks.hook("error", (error) => captureException(error)); // coded
});
`,
    "routes/orders/[id].get.js": `
import { takeFromStock } from "../../stock.cjs";

export default defineEventHandler(async (event) => await takeFromStock(event.context.params.id));
`,
  },
  prepare: ["node_modules/nitropack/dist/cli/index.mjs", "build"],
  start: [".output/server/index.mjs"],
  trigger: getOrder(),
  notes: { release: "Nitro's output has a package of its own, named `NAME-prod`: set [`WHENCE_RELEASE`](release.md)." },
  isHeavy: true,
};
