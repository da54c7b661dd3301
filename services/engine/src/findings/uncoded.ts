/** The name of an error to which its compiler gives no code. */
export const uncoded = "compile error";
