// Ends as its argument says. Starts the client first, or after that ending's `listen`.
import { fileURLToPath } from "node:url";
import * as client from "#client";
import endingsOf from "./endings.cjs";

const { endings, start } = endingsOf;
start(endings[process.argv[2]], client, fileURLToPath(import.meta.url));
