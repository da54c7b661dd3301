/** An error by its type and the first line of its message. */
export interface Thrown {
  readonly type: string;
  readonly message: string;
}

/** `TypeError: x is undefined`; an error of no special type by its message alone. */
export function thrownText({ type, message }: Thrown): string {
  if (message === "") return type;
  return type === "Error" || type === "" ? message : `${type}: ${message}`;
}
