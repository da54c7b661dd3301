// Ends as its argument says. Before that it starts the client, or after `listen` of that ending.
import { fileURLToPath } from "node:url";
import * as client from "#client";
import endingsOf from "./endings.cjs";

const { endings, start } = endingsOf;
start(endings[process.argv[2]], client, fileURLToPath(import.meta.url));
