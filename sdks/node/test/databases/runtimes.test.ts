import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startGateway } from "../gateway.ts";
import { runtimes } from "../runtimes.ts";
import { buildSdk, type SdkBuild } from "../sdk-build.ts";
import { type MysqlServer, startMysqlServer } from "./mysql-server.ts";
import { type RespServer, startRespServer } from "./resp-server.ts";

let sdk: SdkBuild;
let redis: RespServer;
let mysql: MysqlServer;
beforeAll(async () => {
  [sdk, redis, mysql] = await Promise.all([buildSdk(), startRespServer(), startMysqlServer()]);
});
afterAll(async () => {
  redis.close();
  mysql.close();
  await sdk.remove();
});

it.each(runtimes)(
  "records calls of ioredis and mysql2 on Node $name, with the package as it is published",
  async ({ path }) => {
    const gateway = await startGateway();
    const program = join(import.meta.dirname, "../programs/databases.cjs");
    const child = spawn(path, [program, String(redis.port), String(mysql.port)], {
      env: { WHENCE_SDK: sdk.folder, WHENCE_ENDPOINT: gateway.url },
      stdio: "inherit",
    });
    await once(child, "exit");
    await gateway.close();
    const trail = gateway.events("exception").at(-1)?.breadcrumbs ?? [];
    expect(trail.map(({ data }) => [data?.system, data?.statement, data?.error])).toEqual([
      ["redis", "SET ? ?", undefined],
      ["redis", "INCR ?", "ERR value is not an integer or out of range"],
      ["mysql", "SELECT ?", undefined],
      ["mysql", "DELETE fails", "no such thing"],
    ]);
  },
);
