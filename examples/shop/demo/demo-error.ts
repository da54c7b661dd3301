/** Something that the demo could not do; its message is the line that a person reads. */
export class DemoError extends Error {
  override readonly name = "DemoError";
}
