/** An error by its type and the first line of its message. */
export interface Thrown {
  readonly type: string;
  readonly message: string;
}

/** Returns `TypeError: x is undefined`; for an error without a specific type, only its message. */
export function thrownText({ type, message }: Thrown): string {
  if (message === "") return type;
  return type === "Error" || type === "" ? message : `${type}: ${saidBeside({ type, message })}`;
}

/** Returns an error's type and message, as most runtimes print them: what its words are searched in. */
export function saidBy({ type, message }: Thrown): string {
  return `${type}: ${message}`;
}

/** Returns an error's message without its type, which some programs print in it. */
export function saidBeside({ type, message }: Thrown): string {
  return message.startsWith(`${type}: `) ? message.slice(type.length + 2) : message;
}

/** Returns whether nothing says which error it was, as for a stack that was cut off or dumped: it may not be one. */
export function isUnnamed({ type, message }: Thrown): boolean {
  return type === "Exception" && message === "";
}
