/** A text that evidence may have been taken from: the error text or a file. */
export interface VerifiableSource {
  /** The name that the report may use for it: the file's path. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 (hex) of the text in UTF-8. */
  readonly sha256: string;
}

/** Returns whether two names mean one file: reports name files as they were sent, perhaps from another folder. */
export function isSameFile(name: string, other: string): boolean {
  return name === other || name.endsWith(`/${other}`) || other.endsWith(`/${name}`);
}
