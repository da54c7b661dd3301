// After a second, opens files until it can't open more, and dies of that.
import { openSync } from "node:fs";
import { devNull } from "node:os";
import { init } from "#client";

init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT });
setTimeout(() => {
  for (;;) openSync(devNull);
}, 1_100);
