import { serveCalls } from "@whence/storage/threads";
import { readBundle } from "./read-bundle.ts";

await serveCalls(() => ({ answer: readBundle }));
