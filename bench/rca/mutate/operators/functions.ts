/** A named function and its place. Lines are from 1 and inclusive. */
export interface NamedFunction {
  readonly name: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** Finds the innermost named function, by character offset or line. */
export interface FunctionIndex {
  readonly atOffset: (offset: number) => NamedFunction | undefined;
  readonly atLine: (line: number) => NamedFunction | undefined;
}
