import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const networkNotConnected = gapKind({
  name: "network-not-connected",
  means: "Nothing that is connected knows what changed the name of a host, or its rules, that couldn't be reached",
  args: z.object({ host: z.string() }),
  example: { host: "payments:8080" },
  sentence: ({ host }) =>
    `DNS and firewall: no network integration is connected that would know of changes for ${inlineCode(host)}.`,
});
