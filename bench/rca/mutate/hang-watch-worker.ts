import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { workerData } from "node:worker_threads";

/** Ends a process whose main thread hasn't turned for so long, with its stack, as error trackers print it. */
const notRespondingMs = 2_000;
const lookIntervalMs = 200;
const framesMax = 12;
const standardError = 2;

const turns: Int32Array = workerData;
let seen = 0;
let since = performance.now();
let isReported = false;
// It keeps this thread alive until V8 answers.
setInterval(() => {
  const now = performance.now();
  const counted = Atomics.load(turns, 0);
  if (counted !== seen) [seen, since] = [counted, now];
  // It turns for the first time after its modules are loaded.
  if (isReported || counted === 0 || now - since < notRespondingMs) return;
  isReported = true;
  report();
}, lookIntervalMs);

function report(): void {
  const session = new Session();
  session.connectToMainThread();
  const scripts = new Map<string, string>();
  session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => scripts.set(scriptId, url));
  session.on("Debugger.paused", ({ params: { callFrames } }) => {
    const frames = callFrames.slice(0, framesMax).map(({ functionName, location }) => {
      const { scriptId, lineNumber, columnNumber = 0 } = location;
      const place = `${scripts.get(scriptId) ?? "<anonymous>"}:${lineNumber + 1}:${columnNumber + 1}`;
      return functionName === "" ? `    at ${place}` : `    at ${functionName} (${place})`;
    });
    const error = `ApplicationNotResponding: Application Not Responding for at least ${notRespondingMs} ms`;
    writeSync(standardError, `${[error, ...frames].join("\n")}\n`);
    process.kill(process.pid, "SIGKILL");
  });
  session.post("Debugger.enable", () => session.post("Debugger.pause"));
}
