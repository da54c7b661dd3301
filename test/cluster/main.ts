import { clusterKey, startCluster } from "./cluster.ts";

// Runs the topology of docker-compose.yml as plain processes until Ctrl-C, for `pnpm cluster`.
const cluster = await startCluster();
const roles = [...cluster.gateways, ...cluster.writers, ...cluster.analyzers];
const setUp = roles.flatMap((role) => role.output().split("\n")).find((line) => line.includes("set-up"));
console.log(
  [
    `Whence listens on ${cluster.url} (the proxy)`,
    `  API key     ${clusterKey}`,
    ...(setUp === undefined ? [] : [setUp]),
    ...roles.map(({ name, url }) => `  ${name.padEnd(11)} ${url}`),
    `  NATS        ${cluster.nats.urls}`,
    `  ClickHouse  ${cluster.clickHouse.url}   (the embedded engine behind HTTP: for this cluster alone)`,
    "Ctrl-C stops all of it and throws its data away.",
  ].join("\n"),
);

let stopping = false;
process.on("SIGINT", () => void stop());
process.on("SIGTERM", () => void stop());

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await cluster.stop();
  process.exit(0);
}
