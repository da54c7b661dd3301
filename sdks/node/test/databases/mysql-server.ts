import type { AddressInfo } from "node:net";
import mysql from "mysql2";

/**
 * The server contained in mysql2: it answers with one row, or `OK` to a prepared statement, and with an error to
 * statements that contain `fails`.
 */
export interface MysqlServer {
  readonly port: number;
  close(): void;
}

const unknownError = 1105;
const varString = 253;
const utf8 = 33;
const everythingButCompression = 0xff_ff_df;

const statementThatFails = 2;

/** Returns the answer to preparing a statement without parameters and columns, which mysql2's server lacks. */
const prepared = (id: number): Buffer => Buffer.from([12, 0, 0, 1, 0, id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/** Starts a server on a free port of the loopback interface. */
export async function startMysqlServer(): Promise<MysqlServer> {
  const server = mysql.createServer((connection) => {
    // It counts the packets of all commands together.
    const countAgain = (): unknown => Reflect.set(connection, "sequenceId", 0);
    connection.on("error", () => undefined);
    connection.serverHandshake({
      protocolVersion: 10,
      serverVersion: "8.0.0",
      connectionId: 1,
      statusFlags: 2,
      characterSet: utf8,
      capabilityFlags: everythingButCompression,
      authCallback: (_parameters: unknown, accept: (error: null) => void) => {
        accept(null);
        countAgain();
      },
    });
    connection.on("packet", countAgain);
    const fails = (): void => connection.writeError({ message: "no such thing", code: unknownError });
    connection.on("stmt_prepare", (sql: string) => {
      if (sql.includes("fails to prepare")) fails();
      else Reflect.get(connection, "stream").write(sql.includes("fails") ? prepared(statementThatFails) : prepared(1));
    });
    connection.on("stmt_execute", (id: number) => {
      if (id === statementThatFails) fails();
      else connection.writeOk({ affectedRows: 3 });
    });
    connection.on("query", (sql: string) => {
      if (sql.includes("fails")) fails();
      else {
        const column = { catalog: "def", schema: "shop", table: "t", orgTable: "t", name: "a", orgName: "a" };
        const type = { characterSet: utf8, columnLength: 80, columnType: varString, flags: 0, decimals: 0 };
        connection.writeTextResult([{ a: sql }], [{ ...column, ...type }]);
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0);
    Reflect.get(server, "_server").once("listening", resolve);
  });
  const { port } = Reflect.get(server, "_server").address() as AddressInfo;
  return { port, close: () => Reflect.get(server, "_server").close() };
}
