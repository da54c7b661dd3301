"use strict";
// A service that fails several times, and then ends as its argument says.
const fs = require("node:fs");
const { init, captureException, captureMessage } = require("#client");

const { WHENCE_API_KEY: apiKey, WHENCE_ENDPOINT: endpoint, SPOOL: spool, SERVICE: service = "spooling" } = process.env;
const fail = (count) => {
  for (let number = 1; number <= count; number++) {
    captureException(Object.assign(new Error(`failure ${number}`), { password: ["hunter", 2].join("") }));
  }
};
const endings = {
  "is ended by SIGTERM": () => after50ms(() => process.kill(process.pid, "SIGTERM")),
  "is ended by SIGTERM in a loop": () => {
    fs.writeSync(1, `${process.listenerCount("SIGTERM")} listeners\n`);
    require("node:child_process")
      .spawn("sh", ["-c", `sleep 0.1; kill ${process.pid}`])
      .unref();
    const until = Date.now() + 10_000;
    while (Date.now() < until);
  },
  "is ended by SIGKILL": () => after50ms(() => process.kill(process.pid, "SIGKILL")),
  "runs on": () => undefined,
  "fails while it is idle": () => setTimeout(fail, 100, 10),
  "fails and logs in 300 turns": (turn = 1) => {
    for (let line = 1; line <= 5; line++) captureMessage(`line ${line} of turn ${turn}`);
    captureException(new Error(`failure ${turn}`));
    if (turn < 300) setTimeout(endings["fails and logs in 300 turns"], 3, turn + 1);
  },
  "exits with 0": () => process.exit(0),
  "exits while its spool is opened": () => {
    const { open } = fs;
    fs.open = (...given) => {
      open(...given);
      process.exit(0);
    };
  },
  throws: () => {
    throw new Error("the last one");
  },
  "throws in a folder that was removed": () => {
    const folder = fs.mkdtempSync(`${spool}/gone-`);
    process.chdir(folder);
    fs.rmdirSync(folder);
    throw new Error("the last one");
  },
  "throws in its listener": () => {
    process.on("uncaughtException", () => {
      throw new Error("second");
    });
    throw new Error("the last one");
  },
  "has a thread that throws": () => {
    const { Worker } = require("node:worker_threads");
    new Worker(__filename, { argv: ["throws", "0"] }).on("error", () => undefined);
  },
};

init({ apiKey, endpoint, service, spool });
fail(Number(process.argv[3]));
setTimeout(() => process.exit(0), 100_000);
endings[process.argv[2]]();

/**
 * Waits ten turns of 5 ms. Each writes a file as well, so that on a busy machine, or a busy disk, it's as late as what
 * the client writes.
 */
function after50ms(end, turns = 10) {
  if (turns === 0) end();
  else setTimeout(() => fs.writeFile(`${spool}/turn`, "", () => after50ms(end, turns - 1)), 5);
}
