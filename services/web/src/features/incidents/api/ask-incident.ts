import { type QuestionAnswer, questionAnswerSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** Asks a question about the report of an incident. Each statement of the answer is the report's, or has a quote. */
export async function askIncident(id: string, question: string): Promise<QuestionAnswer["answer"]> {
  const path = `/api/incidents/${encodeURIComponent(id)}/questions`;
  const { answer } = await request(questionAnswerSchema, path, { method: "POST", body: { question } });
  return answer;
}
