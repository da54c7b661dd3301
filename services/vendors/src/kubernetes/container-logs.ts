import type { OutsideFinding } from "@whence/protocol";
import { VendorFailure } from "../http/vendor-failure.ts";
import type { FailureQuestion } from "../integrations/integration.ts";
import type { Apis, Pod } from "./cluster-api.ts";
import { endedContainers, isWithin } from "./pod-findings.ts";

/** How many containers have the log from before their last exit read, and how many of its last lines. */
const containersMax = 2;
const linesMax = 8;
const bytesMax = 32_768;

/** Returns the last log lines of containers that exited in the span. */
export async function previousLogs(
  { core }: Apis,
  pods: readonly Pod[],
  about: FailureQuestion,
): Promise<readonly OutsideFinding[]> {
  const ended = pods.flatMap((pod) => endedContainers(pod, about).map((container) => ({ pod, container })));
  const logs = await Promise.all(
    ended.slice(0, containersMax).map(async ({ pod: { metadata }, container }) => {
      const { name, namespace } = metadata;
      const asked = { name, namespace, container, previous: true, timestamps: true };
      const text = await core
        .readNamespacedPodLog({ ...asked, tailLines: linesMax, limitBytes: bytesMax })
        .catch(emptyWhenGone);
      return logFindings(String(text), `${name}/${container}`, about);
    }),
  );
  return logs.flat();
}

/** Empty for a log that the node deleted (400 or 404); missing permission is reported. */
function emptyWhenGone(error: unknown): string {
  const isGone = error instanceof VendorFailure && ["not-found", "unexpected-answer"].includes(error.reason);
  if (isGone) return "";
  throw error;
}

function logFindings(text: string, source: string, about: FailureQuestion): readonly OutsideFinding[] {
  return text.split("\n").flatMap((line) => {
    const [time = "", ...words] = line.split(" ");
    const [at, message] = [new Date(time), words.join(" ").trim()];
    if (message === "" || !isWithin(at, about)) return [];
    const finding = { kind: "log", vendor: "Kubernetes", level: null, message, source, count: 1, url: null } as const;
    return { ...finding, at: at.toISOString() };
  });
}
