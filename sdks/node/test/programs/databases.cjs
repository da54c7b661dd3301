"use strict";
// Calls a Redis, a MySQL, and a SQLite database, then sends an error with the breadcrumbs.
const { whenceIoredis } = require(`${process.env.WHENCE_SDK}/databases/ioredis.cjs`);
const { whenceMysql2 } = require(`${process.env.WHENCE_SDK}/databases/mysql2.cjs`);
const { whenceMariadb } = require(`${process.env.WHENCE_SDK}/databases/mariadb.cjs`);
const { whenceSqlite } = require(`${process.env.WHENCE_SDK}/databases/sqlite.cjs`);
const { captureException, flush, init } = require(`${process.env.WHENCE_SDK}/index.cjs`);
const { Redis } = require("ioredis-5");
const mysql = require("mysql2");

const major = Number(process.versions.node.split(".")[0]);
const [redisPort, mysqlPort] = process.argv.slice(2).map(Number);

async function failInMariadb(pool) {
  whenceMariadb(pool);
  await pool.query("SELECT fails").catch(() => undefined);
}

function failInSqlite(DatabaseSync) {
  whenceSqlite(DatabaseSync);
  try {
    new DatabaseSync(":memory:").prepare("SELECT 'bob' FROM missing");
  } catch {
    // The breadcrumb contains the error.
  }
}

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
  if (major >= 20) await failInMariadb(require("mariadb").createPool(where));
  if (major >= 22) failInSqlite(require("node:sqlite").DatabaseSync);
  captureException(new Error("seen"));
  await flush();
  process.exit();
}

void main();
