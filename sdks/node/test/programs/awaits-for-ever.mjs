// Awaits, at its top level, a promise that never settles.
import { captureMessage, init } from "#client";

if (process.env.WHENCE_INIT !== "no")
  init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT, service: "program" });
captureMessage("waiting");
process.on("exit", (code) => console.log("leaving with", code, process.exitCode));
await new Promise(() => undefined);
