"use strict";
// Knows nothing of the client; dies of a cause, in itself or in a process of its own.
if (process.argv[2] === "forks") {
  require("node:child_process").fork(__filename, ["throws"]);
} else {
  setTimeout(() => {
    throw new RangeError("out of stock");
  }, 10);
}
