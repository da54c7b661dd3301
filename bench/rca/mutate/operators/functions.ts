/** A function with a name, and where it stands. Lines are from 1 and inclusive. */
export interface NamedFunction {
  readonly name: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** The innermost functions with a name, by character offset and by line. */
export interface FunctionIndex {
  readonly atOffset: (offset: number) => NamedFunction | undefined;
  readonly atLine: (line: number) => NamedFunction | undefined;
}
