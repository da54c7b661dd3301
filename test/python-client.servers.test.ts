import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startMariadb } from "./servers/mariadb.ts";
import { startPostgres } from "./servers/postgres.ts";
import { startRedis } from "./servers/redis.ts";

const folder = join(import.meta.dirname, "../sdks/python");
const python = join(folder, "../../node_modules/.python/bin/python");

it("passes the Python client's tests with PostgreSQL, MariaDB and Redis, which sdks/python/install-tests prepares", async () => {
  const [postgres, mariadb, redis] = await Promise.all([startPostgres(), startMariadb(), startRedis()]);
  try {
    const urls = { POSTGRES_URL: postgres.url, MYSQL_URL: mariadb.url, REDIS_URL: `redis://127.0.0.1:${redis.port}` };
    const env = { ...process.env, ...urls };
    const args = ["-m", "pytest", "-p", "no:cacheprovider", "tests/servers"];
    const { status, stdout, stderr } = spawnSync(python, args, { cwd: folder, encoding: "utf8", env });
    expect(status === 0 ? "passed" : `${stdout}${stderr}`).toBe("passed");
  } finally {
    await Promise.all([postgres.stop(), mariadb.stop(), redis.stop()]);
  }
});
