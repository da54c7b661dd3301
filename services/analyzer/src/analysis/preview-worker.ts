import { previewText } from "@whence/engine/preview";
import { serveCalls } from "@whence/storage/threads";

await serveCalls(() => ({ answer: previewText }));
