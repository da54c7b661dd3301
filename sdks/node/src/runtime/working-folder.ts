/** Returns the working directory; an empty string when it has been deleted. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    // Every relative path fails from now on, the program's as well.
    return "";
  }
}
