import { constants, gzipSync } from "node:zlib";

const blockBytes = 512;
const nameBytesMax = 100;
/** The same time for every file, as npm packs, so that the same files make the same tarball: 1985-10-26T08:15:00Z. */
const modifiedSeconds = 499_162_500;

/**
 * Packs files, by path, into a gzipped tar archive (POSIX ustar). The same files in the same order give the same bytes.
 */
export function tarball(files: ReadonlyMap<string, Buffer>): Buffer {
  const blocks = [...files].flatMap(([path, content]) => [header(path, content.length), content, padding(content)]);
  // Two empty blocks end an archive.
  const archive = Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]);
  return gzipSync(archive, { level: constants.Z_BEST_COMPRESSION });
}

function padding(content: Buffer): Buffer {
  return Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes);
}

function header(path: string, bytes: number): Buffer {
  if (Buffer.byteLength(path) > nameBytesMax) throw new RangeError(`${path} is longer than ${nameBytesMax} bytes`);
  const block = Buffer.alloc(blockBytes);
  block.write(path, 0);
  block.write(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  block.write(`${octal(bytes, 11)}\0${octal(modifiedSeconds, 11)}\0`, 124);
  // The checksum counts its own field as spaces; "0" is a regular file.
  block.write("        0", 148);
  block.write("ustar\x0000", 257);
  const checksum = block.reduce((sum, byte) => sum + byte, 0);
  block.write(`${octal(checksum, 6)}\0 `, 148);
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}
