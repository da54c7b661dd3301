/** One row of a package's table of errors. `%s` and `%d` in `message` are replaced by the arguments, in order. */
export interface ErrorDefinition {
  /** The HTTP status of the answer; 500 when the error isn't meant for a client. */
  readonly status: number;
  /** What happened, to what, and what to do. */
  readonly message: string;
}

export type ErrorTable = Readonly<Record<string, ErrorDefinition>>;

/** An error raised by Whence. Tell errors apart by `code`, never by message. */
export class WhenceError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly status: number;

  constructor(code: Code, status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "WhenceError";
    this.code = code;
    this.status = status;
  }
}

/** The result of {@link defineErrors}: the table, and the function that creates an error from it. */
export interface DefinedErrors<Table extends ErrorTable> {
  readonly table: Table;
  create(code: keyof Table & string, values?: readonly (string | number)[], options?: ErrorOptions): WhenceError;
}

/** Binds a package's table of errors. A test compares `docs/errors.md` with every table. */
export function defineErrors<const Table extends ErrorTable>(table: Table): DefinedErrors<Table> {
  return {
    table,
    create(code, values = [], options) {
      const definition: ErrorDefinition = table[code] ?? { status: 500, message: code };
      return new WhenceError(code, definition.status, fill(definition.message, values), options);
    },
  };
}

function fill(message: string, values: readonly (string | number)[]): string {
  const remaining = [...values];
  return message.replace(/%[sd]/g, (placeholder) => String(remaining.shift() ?? placeholder));
}
