import { startTestService } from "../test-service.ts";
import { describeTwoAnalyzers } from "./two-analyzers.ts";

describeTwoAnalyzers("embedded", () => startTestService());
