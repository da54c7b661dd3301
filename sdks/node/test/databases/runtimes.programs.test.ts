import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startGateway } from "../gateway.ts";
import { runtimes } from "../runtimes.ts";
import { buildSdk, type SdkBuild } from "../sdk-build.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type MysqlServer, startMysqlServer } from "./mysql-server.ts";
import { type RespServer, startRespServer } from "./resp-server.ts";

const firstNodeOfMariadb = 20;
const firstNodeWithSqlite = 22;

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
  "records calls of each library that runs on Node $name, with the published package",
  async ({ name, path }) => {
    const gateway = await startGateway();
    const program = join(import.meta.dirname, "../programs/databases.cjs");
    const child = spawn(path, [program, String(redis.port), String(mysql.port)], {
      env: { TMPDIR: temporaryFolder(), WHENCE_SDK: sdk.folder, WHENCE_ENDPOINT: gateway.url },
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
      ...(Number(name) < firstNodeOfMariadb ? [] : [["mysql", "SELECT fails", "no such thing"]]),
      ...(Number(name) < firstNodeWithSqlite ? [] : [["sqlite", "SELECT ? FROM missing", "no such table: missing"]]),
    ]);
  },
);

it.each(runtimes.flatMap(({ name, path }) => ["exec", "execAsPipeline"].map((way) => ({ name, path, way }))))(
  "$way of node-redis fails as without the client on Node $name, handled or not",
  async ({ path, way }) => {
    const gateway = await startGateway();
    const run = (env: NodeJS.ProcessEnv): Promise<unknown> =>
      promisify(execFile)(
        path,
        [join(import.meta.dirname, "../programs/redis-pipelines.cjs"), String(redis.port), way],
        {
          env,
        },
      ).catch(({ code, stdout, stderr }) => ({ code, stdout, stderr }));
    const ended = await run({ WHENCE_SDK: sdk.folder, WHENCE_ENDPOINT: gateway.url });
    await gateway.close();
    expect(ended).toEqual(await run({}));
    expect(ended).toMatchObject({ code: 1, stdout: expect.stringMatching(/Error.*\nexit 1\n$/) });
    expect(gateway.events("exception")).toHaveLength(1);
  },
);
