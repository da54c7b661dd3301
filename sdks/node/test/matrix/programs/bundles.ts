import { getOrder, type MatrixProgram } from "../matrix-program.ts";

const main = `
require("@whence/node").init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
const { whenceErrors, whenceRequests } = require("@whence/node/express"); // coded
const express = require("express");
const { takeFromStock } = require("./stock.cjs");

const app = express();
app.use(whenceRequests()); // coded
app.get("/orders/:id", async (request, response) => {
  response.json(await takeFromStock(request.params.id));
});
app.use(whenceErrors()); // coded
app.listen(process.env.PORT);
`;

export const esbuildBundle: MatrixProgram = {
  name: "esbuild",
  title: "Express 5 in a bundle of esbuild, minified",
  packages: { esbuild: "0.28.2", express: "5.3.0" },
  files: {
    "main.cjs": main,
    "build.cjs": `
require("esbuild").buildSync({
  entryPoints: ["main.cjs"],
  outfile: "dist/server.cjs",
  bundle: true,
  minify: true,
  sourcemap: true,
  platform: "node",
});
`,
  },
  prepare: ["build.cjs"],
  start: ["dist/server.cjs"],
  trigger: getOrder("/orders/:id"),
};

export const rollupBundle: MatrixProgram = {
  name: "rollup",
  title: "Express 5 in a bundle of Rollup",
  packages: {
    rollup: "4.68.7",
    "@rollup/plugin-commonjs": "29.0.3",
    "@rollup/plugin-json": "6.1.0",
    "@rollup/plugin-node-resolve": "16.0.3",
    express: "5.3.0",
  },
  files: {
    "main.cjs": main,
    "rollup.config.mjs": `
import commonjs from "@rollup/plugin-commonjs";
import json from "@rollup/plugin-json";
import resolve from "@rollup/plugin-node-resolve";

export default {
  input: "main.cjs",
  output: { file: "dist/server.mjs", format: "es", sourcemap: true },
  plugins: [resolve({ preferBuiltins: true }), commonjs(), json()],
  onLog() {},
};
`,
  },
  prepare: ["node_modules/rollup/dist/bin/rollup", "--config", "--silent"],
  start: ["dist/server.mjs"],
  trigger: getOrder("/orders/:id"),
};
