import { previewText } from "@whence/engine";
import { answerMessages } from "../threads/answer-messages.ts";

answerMessages(previewText);
