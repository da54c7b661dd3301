"use strict";
// Calls a Redis and a MySQL server, then sends one error, whose breadcrumbs tell what was seen of it.
const { whenceIoredis } = require(`${process.env.WHENCE_SDK}/databases/ioredis.cjs`);
const { whenceMysql2 } = require(`${process.env.WHENCE_SDK}/databases/mysql2.cjs`);
const { captureException, flush, init } = require(`${process.env.WHENCE_SDK}/index.cjs`);
const { Redis } = require("ioredis-5");
const mysql = require("mysql2");

const [redisPort, mysqlPort] = process.argv.slice(2).map(Number);

async function main() {
  init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });
  whenceIoredis(Redis);
  whenceMysql2(mysql);
  const redis = new Redis({ host: "127.0.0.1", port: redisPort });
  await redis.set("session:bob", "secret");
  await redis.incr("session:bob").catch(() => undefined);
  const where = { host: "127.0.0.1", port: mysqlPort, user: "u", password: "p" };
  const pool = mysql.createPool(where).promise();
  await pool.query("SELECT 'bob'");
  await pool.execute("DELETE fails").catch(() => undefined);
  captureException(new Error("seen"));
  await flush();
  process.exit();
}

void main();
