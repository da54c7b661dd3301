// Dies of an error, with another error tracker in it.
const Sentry = require("@sentry/node");

const startTracker = () => Sentry.init({ dsn: process.env.TRACKER_DSN });
const startClient = () => {
  if (process.env.WHENCE_SDK === undefined) return;
  require(process.env.WHENCE_SDK).init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });
};
const order = process.argv[2] === "client-first" ? [startClient, startTracker] : [startTracker, startClient];
for (const start of order) start();

setTimeout(() => {
  if (process.argv[3] === "rejection") void Promise.reject(new Error("not awaited"));
  else throw new Error("not caught");
}, 10);
