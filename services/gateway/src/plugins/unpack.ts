import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { limits } from "@whence/protocol";
import { gatewayErrors } from "../errors.ts";

const unzip = promisify(gunzip);

/**
 * The JSON text of a body, unpacked off the event loop, with a bound on what it may become: a small body can unpack to
 * a thousand times its size.
 */
export async function unpack(body: Buffer, encoding: string | undefined): Promise<string> {
  if (encoding === undefined || encoding === "identity") return body.toString("utf8");
  if (encoding !== "gzip") throw gatewayErrors.create("WHENCE_ERR_BATCH_TYPE", [`content-encoding ${encoding}`]);
  try {
    return (await unzip(body, { maxOutputLength: limits.batchUnpackedBytesMax })).toString("utf8");
  } catch (error) {
    if (error instanceof RangeError) {
      throw gatewayErrors.create("WHENCE_ERR_BATCH_TOO_LARGE", [limits.batchUnpackedBytesMax, "unpacked"]);
    }
    throw gatewayErrors.create("WHENCE_ERR_BATCH_CORRUPT", [], { cause: error });
  }
}
