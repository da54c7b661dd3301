"use strict";
// A program without client code; it, or its child process, dies of an error with a cause.
if (process.argv[2] === "forks") {
  require("node:child_process").fork(__filename, ["throws"]);
} else {
  setTimeout(() => {
    throw new RangeError("out of stock");
  }, 10);
}
