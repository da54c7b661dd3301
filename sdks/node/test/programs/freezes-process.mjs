// Freezes the process object, as hardened programs do, after which Node can no longer start threads.
import { init } from "#client";

init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT });
Object.freeze(process);
setTimeout(() => console.log("lives"), 20);
