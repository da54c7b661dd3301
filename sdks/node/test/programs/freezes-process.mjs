// Freezes the process object, as hardened programs do, with which Node can't load its own threads any more.
import { init } from "#client";

init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT });
Object.freeze(process);
setTimeout(() => console.log("lives"), 20);
