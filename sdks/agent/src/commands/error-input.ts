import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { limits } from "@whence/protocol";
import { type Surroundings, UsageError } from "./command.ts";

/** Reads the error text from a file, or from standard input for `-` or no operand. */
export async function readErrorText(operand: string | undefined, { stdin, cwd }: Surroundings): Promise<string> {
  if (operand === undefined && stdin.isTerminal) {
    throw new UsageError(
      "no error text: name a file, or pipe one in (whence rca error.log, npm test 2>&1 | whence rca)",
    );
  }
  const isPiped = operand === undefined || operand === "-";
  const bytes = isPiped ? await stdin.read(limits.errorLogBytesMax) : await readNamed(resolve(cwd, operand), operand);
  if (bytes.byteLength > limits.errorLogBytesMax) {
    throw new UsageError(
      `the error text is larger than ${limits.errorLogBytesMax} bytes: send only its end (tail -c ${limits.errorLogBytesMax} ${operand ?? "…"} | whence rca)`,
    );
  }
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") throw new UsageError("the error text is empty");
  return text;
}

async function readNamed(path: string, operand: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    // One byte above the limit is enough to reject it.
    return size > limits.errorLogBytesMax ? new Uint8Array(limits.errorLogBytesMax + 1) : await readFile(path);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`${operand} can't be read: ${reason}`);
  }
}
