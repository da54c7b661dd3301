/** Returns the working directory; an empty text when it has been removed. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    // Every relative path fails from here on, the program's as well.
    return "";
  }
}
