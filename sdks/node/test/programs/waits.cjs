"use strict";
// A service, in the framework of its first argument, whose requests wait for each other. Each fails in its turn, and
// again a little later. The other arguments: a port and a URL of database servers, and any word if the second in turn
// throws.
const http = require("node:http");

const [, , place, mysqlPort, pgUrl, isThrown] = process.argv;
const toMysql = { port: Number(mysqlPort), host: "127.0.0.1", user: "shop", connectionLimit: 1 };
const toPg = { connectionString: pgUrl, max: 1 };

/** Ways to run a function in its turn, which ends when it calls back. */
const places = {
  fastq() {
    const queue = require("fastq")((job, done) => job(done), 1);
    return (job) => queue.push(job);
  },
  "fastq.promise"() {
    const queue = require("fastq").promise((job) => new Promise(job), 1);
    return (job) => queue.push(job);
  },
  "p-queue-6"() {
    const queue = new (require("p-queue-6").default)({ concurrency: 1 });
    return (job) => queue.add(() => new Promise(job));
  },
  async "p-queue"() {
    const { default: Queue } = await import("p-queue");
    const queue = new Queue({ concurrency: 1 });
    return (job) => queue.add(() => new Promise(job));
  },
  "p-limit-3"() {
    const limit = require("p-limit-3")(1);
    return (job) => limit(() => new Promise(job));
  },
  "async.queue"() {
    const queue = require("async").queue((job, done) => job(done), 1);
    return (job) => queue.push(job);
  },
  "generic-pool"() {
    const factory = { create: async () => ({}), destroy: async () => undefined };
    const pool = require("generic-pool").createPool(factory, { max: 1 });
    return (job) => pool.acquire().then((resource) => job(() => pool.release(resource)));
  },
  "mysql query"() {
    const pool = require("mysql").createPool(toMysql);
    return (job) => pool.query("SELECT 1", () => job(() => undefined));
  },
  "mysql connection"() {
    const pool = require("mysql").createPool(toMysql);
    return (job) => pool.getConnection((_error, connection) => job(() => connection.release()));
  },
  "mysql rows"() {
    const pool = require("mysql").createPool(toMysql);
    return (job) => pool.query("SELECT 1").on("result", () => job(() => undefined));
  },
  "mysql2 query"() {
    const pool = require("mysql2").createPool(toMysql);
    return (job) => pool.query("SELECT 1", () => job(() => undefined));
  },
  "mysql2 connection"() {
    const pool = require("mysql2").createPool(toMysql);
    return (job) => pool.getConnection((_error, connection) => job(() => connection.release()));
  },
  "mysql2 rows"() {
    const pool = require("mysql2").createPool(toMysql);
    return (job) => pool.query("SELECT 1").on("result", () => job(() => undefined));
  },
  "pg query"() {
    const pool = new (require("pg").Pool)(toPg);
    return (job) => pool.query("SELECT 1", () => job(() => undefined));
  },
  "pg connection"() {
    const pool = new (require("pg").Pool)(toPg);
    return (job) => pool.connect((_error, _connection, release) => job(release));
  },
  "pg query of a connection"() {
    const pool = new (require("pg").Pool)(toPg);
    return (job) => pool.connect((_error, client, release) => client.query("SELECT 1", () => job(release)));
  },
  "pg rows"() {
    const { Pool, Query } = require("pg");
    const pool = new Pool(toPg);
    return (job) =>
      pool.connect((_error, client, release) => client.query(new Query("SELECT 1")).on("row", () => job(release)));
  },
  "pg cursor"() {
    const pool = new (require("pg").Pool)(toPg);
    const Cursor = require("pg-cursor");
    return (job) =>
      pool.connect((_error, client, release) => {
        const cursor = client.query(new Cursor("SELECT 1"));
        cursor.read(1, () => job(() => cursor.close(release)));
      });
  },
};

const fail = (id, what) => console.error(new Error(`${what} of ${id}`));

async function main() {
  const wait = await places[place]();
  const rounds = ["abc", "def"];
  let arrived = 0;
  let turns = 0;
  /** Runs once all requests of a round have arrived: all but the first wait. */
  const later = (run) => setTimeout(() => (arrived % rounds[0].length === 0 ? run() : later(run)), 3);
  const server = http.createServer((request, response) => {
    const id = request.url.slice(1);
    console.log("order", id);
    arrived += 1;
    wait((done) => {
      console.log("turn", id);
      turns += 1;
      if (isThrown && turns === 2) throw new Error(`no stock of ${id}`);
      fail(id, "no stock");
      later(() => {
        // What follows still belongs to this request, though the next one's turn may begin inside.
        done();
        console.error(`no price of ${id}`);
        later(() => response.end("failed"));
      });
    });
  });
  server.listen(0, "127.0.0.1", async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: rounds[0].length });
    const get = (id) =>
      new Promise((resolve) => {
        http.get({ port: server.address().port, path: `/${id}`, agent }, (response) => {
          response.resume().on("end", resolve);
        });
      });
    for (const ids of rounds) await Promise.all([...ids].map(get));
    process.exit();
  });
}

void main();
