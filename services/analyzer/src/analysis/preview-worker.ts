import { previewText } from "@whence/engine/preview";
import { answerMessages } from "../threads/answer-messages.ts";

answerMessages(previewText);
