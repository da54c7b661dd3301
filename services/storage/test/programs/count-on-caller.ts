import { serveCalls } from "../../src/threads/index.ts";

await serveCalls((step: number) => {
  if (step === 0) throw new Error("a step of 0 leads nowhere");
  let count = 0;
  return {
    async answer(call: "count" | "throw" | "exit" | "ask" | "hang", ask: (question: string) => Promise<string>) {
      if (call === "throw") throw new Error("not counted");
      if (call === "exit") process.exit(3);
      if (call === "ask") return `the caller says ${await ask("what?")}`;
      while (call === "hang");
      count += step;
      return String(count);
    },
  };
});
