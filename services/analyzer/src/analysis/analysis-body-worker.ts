import { serveCalls } from "@whence/storage/threads";
import { readAnalysisBody } from "./analysis-body.ts";

await serveCalls(() => ({ answer: readAnalysisBody }));
