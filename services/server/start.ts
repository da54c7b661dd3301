import { buildBeside } from "./build-beside.ts";
import { readCommand } from "./src/command-line.ts";

await import("./src/main.ts");

const hasStarted = process.exitCode === undefined;
if (hasStarted && readCommand(process.argv.slice(2)).name === "serve") await buildBeside();
