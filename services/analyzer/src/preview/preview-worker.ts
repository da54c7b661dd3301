import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { previewText } from "@whence/engine";
import type { AnalysisPreviewRequest } from "@whence/protocol";

if (!parentPort) throw new Error("this program is started as a worker thread");
const port = parentPort;
// Of this thread alone (Linux): requests that ask for less are answered first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

port.on("message", (request: AnalysisPreviewRequest) => port.postMessage(previewText(request)));
