import { describe, expect, it } from "vitest";
import { causeChain } from "../../src/core/cause-chain.ts";
import { redactionOf } from "../../src/core/redact.ts";

const row = { id: 7, email: "ann@example.org", passwordHash: "$2b$10$hash", iban: "DE89370400440532013000" };
const secrets = /ann@example|\$2b|DE89/;

describe("the reported properties of an error", () => {
  it("omit the row in a Sequelize validation error", () => {
    class ValidationErrorItem {
      readonly message = "email must be unique";
      readonly type = "unique violation";
      readonly path = "email";
      readonly value = row.email;
      readonly origin = "DB";
      readonly instance = { dataValues: row, _previousDataValues: row, isNewRecord: true };
      readonly validatorKey = "not_unique";
      readonly validatorName = null;
      readonly validatorArgs = [row.iban];
    }
    const error = Object.assign(new Error("Validation error"), {
      name: "SequelizeUniqueConstraintError",
      errors: [new ValidationErrorItem()],
      fields: { email: row.email },
      sql: `INSERT INTO users VALUES ('${row.email}')`,
      parent: databaseError(),
      original: databaseError(),
    });
    const chain = causeChain(error);
    expect(JSON.stringify(chain)).not.toMatch(secrets);
    expect(chain).toMatchObject([
      { type: "SequelizeUniqueConstraintError", properties: undefined },
      {
        type: "NonError",
        message: "ValidationErrorItem: email must be unique",
        properties: { type: "unique violation", path: "email", validatorKey: "not_unique" },
        parent: 0,
      },
      { message: expect.stringContaining("duplicate key value"), parent: 0 },
    ]);
  });

  it("omit the detail of a PostgreSQL error, but not its position and the names of what failed", () => {
    const [thrown] = causeChain(databaseError());
    expect({ ...thrown?.properties }).toEqual({
      length: 217,
      severity: "ERROR",
      code: "23505",
      schema: "public",
      table: "users",
      constraint: "users_email_key",
      file: "nbtinsert.c",
      line: "666",
      routine: "_bt_check_unique",
    });
  });

  it("omit the driver's server state in a Mongoose server selection error", () => {
    class TopologyDescription {
      readonly type = "ReplicaSetNoPrimary";
      readonly servers = new Map([["db:27017", { lastRow: row }]]);
      readonly seed = row;
      readonly setName = "rs0";
    }
    const reason = new TopologyDescription();
    const error = Object.assign(new Error("connect ECONNREFUSED 10.0.0.7:27017", { cause: reason }), {
      name: "MongooseServerSelectionError",
      reason,
      code: undefined,
    });
    expect(causeChain(error)).toMatchObject([
      { type: "MongooseServerSelectionError", message: "connect ECONNREFUSED 10.0.0.7:27017" },
      { message: "an instance of TopologyDescription", properties: { type: "ReplicaSetNoPrimary" }, parent: 0 },
    ]);
    expect(JSON.stringify(causeChain(error))).not.toMatch(secrets);
  });

  it("omit the cast value in a Mongoose cast error", () => {
    const error = Object.assign(new Error("Cast to Number failed at path balance"), {
      name: "CastError",
      stringValue: `"${row.iban}"`,
      messageFormat: undefined,
      kind: "Number",
      value: row.iban,
      path: "balance",
      reason: new Error("not a number"),
      valueType: "string",
    });
    expect({ ...causeChain(error)[0]?.properties }).toEqual({ kind: "Number", path: "balance", valueType: "string" });
  });

  it.each([
    [
      "mysql2",
      {
        code: "ER_DUP_ENTRY",
        errno: 1062,
        sqlState: "23000",
        fatal: true,
        sql: `INSERT ${row.iban}`,
        sqlMessage: `Duplicate entry '${row.email}' for key 'email'`,
      },
      { code: "ER_DUP_ENTRY", errno: 1062, sqlState: "23000", fatal: true },
    ],
    [
      "axios",
      { isAxiosError: true, code: "ERR_BAD_RESPONSE", status: 502, config: { data: row }, response: { data: row } },
      { isAxiosError: true, code: "ERR_BAD_RESPONSE", status: 502 },
    ],
    [
      "body-parser",
      { expose: true, statusCode: 400, status: 400, body: JSON.stringify(row), type: "entity.parse.failed" },
      { expose: true, statusCode: 400, status: 400, type: "entity.parse.failed" },
    ],
    [
      "AWS",
      {
        $fault: "client",
        $service: "S3",
        Code: "NoSuchBucket",
        BucketName: "invoices",
        RequestId: "R1",
        Key: row.iban,
      },
      { $fault: "client", $service: "S3", Code: "NoSuchBucket", BucketName: "invoices", RequestId: "R1" },
    ],
    [
      "gRPC",
      { code: 5, details: "no such order", metadata: { internalRepr: new Map() } },
      { code: 5, details: "no such order" },
    ],
    [
      "SQL Server",
      { code: "EREQUEST", number: 2627, state: 1, class: 14, serverName: "db", procName: "", lineNumber: 1 },
      { code: "EREQUEST", number: 2627, state: 1, class: 14, serverName: "db", procName: "", lineNumber: 1 },
    ],
    [
      "Prisma",
      { code: "P2002", clientVersion: "7.1.0", meta: { target: ["email"] } },
      { code: "P2002", clientVersion: "7.1.0" },
    ],
    ["Node's URL", { code: "ERR_INVALID_URL", input: "undefined" }, { code: "ERR_INVALID_URL", input: "undefined" }],
    ["Node's URL with a password", { code: "ERR_INVALID_URL", input: "db://a:p w@host" }, { code: "ERR_INVALID_URL" }],
    [
      "Node's child_process",
      { code: 1, killed: false, signal: null, cmd: "login hunter2" },
      { code: 1, killed: false, signal: null },
    ],
    ["the program itself", { number: row.iban, details: row.email, input: row.email, detail: row.email, value: 7 }, {}],
  ])("show the kind of failure, but no stored or sent data: %s", (_library, fields, expected) => {
    expect({ ...causeChain(Object.assign(new Error("failed"), fields))[0]?.properties }).toEqual(expected);
  });

  it("of an object inside an error are only its name and message", () => {
    const messages = [row, { message: "email is taken", instance: row }, [row], new Date(0)].map(
      (member) => causeChain(new AggregateError([member]))[1]?.message,
    );
    expect(messages).toEqual(["an object", "email is taken", "an instance of Array", "an instance of Date"]);
  });

  it("include fields that the program adds, ignoring case, unless their values are redacted", () => {
    const error = Object.assign(new Error("x"), { orderId: 31, Iban: "DE89", customer: { id: 1 }, note: "n" });
    const [thrown] = causeChain(error, redactionOf(["iban"], ["ORDERID", "iban", "customer"]));
    expect({ ...thrown?.properties }).toEqual({ orderId: 31, Iban: "[redacted]" });
  });

  it("show that there was a value with a redacted name", () => {
    const [thrown] = causeChain(Object.assign(new Error("x"), { Token: "s3cret", tokens: 2, nested: { a: 1 } }));
    expect({ ...thrown?.properties }).toEqual({ Token: "[redacted]" });
  });
});

/** Returns an error as pg creates it from the server's response. */
function databaseError(): Error {
  return Object.assign(new Error('duplicate key value violates unique constraint "users_email_key"'), {
    length: 217,
    name: "error",
    severity: "ERROR",
    code: "23505",
    detail: `Key (email)=(${row.email}) exists.`,
    hint: undefined,
    position: undefined,
    internalPosition: undefined,
    internalQuery: undefined,
    where: `COPY users, line 1: "${row.iban}"`,
    schema: "public",
    table: "users",
    column: undefined,
    dataType: undefined,
    constraint: "users_email_key",
    file: "nbtinsert.c",
    line: "666",
    routine: "_bt_check_unique",
  });
}
