#!/usr/bin/env node
import { protocolOutput } from "./own-stdout.ts";

// Loaded after standard output is reserved, because it loads the dependencies.
const { serve } = await import("./serve.ts");
// biome-ignore lint/style/noProcessEnv: this is the file of the program that reads the environment
serve(process.env, protocolOutput);
