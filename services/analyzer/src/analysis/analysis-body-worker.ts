import { answerMessages } from "../threads/answer-messages.ts";
import { readAnalysisBody } from "./analysis-body.ts";

answerMessages(readAnalysisBody);
