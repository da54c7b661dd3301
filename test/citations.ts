/** A line of a test file that names the requirement which the test below it proves. */
export interface Citation {
  readonly id: string;
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** Whether a test follows: on the next line, or after further citations. */
  readonly aboveTest: boolean;
}

const citation = /^\s*(?:\/\/|#) requirement: (\S+)\s*$/;
const testStart = /^\s*(?:it(?:\.(?:each|for))?[(`]|(?:async )?def test_)/;

/** Returns the citations in the text of a test file, TypeScript or Python. */
export function citationsIn(file: string, text: string): Citation[] {
  const lines = text.split("\n");
  return lines.flatMap((content, index) => {
    const id = citation.exec(content)?.[1];
    return id ? [{ id, file, line: index + 1, aboveTest: testFollows(lines, index + 1) }] : [];
  });
}

function testFollows(lines: readonly string[], start: number): boolean {
  const next = lines.slice(start).find((line) => !citation.test(line));
  return next !== undefined && testStart.test(next);
}
