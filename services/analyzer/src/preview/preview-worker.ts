import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { previewText } from "@whence/engine";
import type { AnalysisPreviewRequest } from "@whence/protocol";

if (!parentPort) throw new Error("this program is started as a worker thread");
const port = parentPort;
const isForUnclaimed: boolean = workerData;
// Of this thread alone (Linux): requests that ask for less are answered first, and unclaimed agents last.
const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
setPriority(isForUnclaimed ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL);

port.on("message", (request: AnalysisPreviewRequest) => port.postMessage(previewText(request)));
