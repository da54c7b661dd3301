import { z } from "zod";
import { gatherLimits } from "../../source/gather-limits.ts";
import { gapKind } from "./gap-kind.ts";
import { fileList } from "./lists.ts";

export const filesNotRead = gapKind({
  name: "files-not-read",
  means: "Files of a service's source that the error leads to and that weren't read",
  args: z.object({
    /** `other-version`: its lines aren't the ones that ran. `no-room`: more important files used up the limits. */
    why: z.enum(["absent", "too-large", "not-text", "other-version", "no-room"]),
    files: z.array(z.string()).readonly(),
  }),
  example: { why: "absent", files: ["src/orders.ts"] },
  sentence: ({ files, why }) => {
    return `Source: ${fileList(files)} ${files.length === 1 ? "wasn't" : "weren't"} read: ${notRead[why]}.`;
  },
});

const notRead = {
  absent: "not in the configured source",
  "too-large": `larger than ${gatherLimits.fileBytesMax / 1_000} kB`,
  "not-text": "not a text file",
  "other-version": "differs from the version that ran",
  "no-room": `over the limit of ${gatherLimits.filesMax} files and ${gatherLimits.bytesMax / 1_000_000} MB`,
} as const;
