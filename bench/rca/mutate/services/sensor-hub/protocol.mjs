const pattern = /^([a-z]+-\d+) (\d+) (-?\d+(?:\.\d+)?)$/;

export async function* parseLines(stream) {
  let rest = '';
  for await (const chunk of stream) {
    rest += chunk.toString('utf8');
    const lines = rest.split('\n');
    rest = lines.pop();
    for (const line of lines) yield parseLine(line);
  }
  if (rest !== '') throw new Error(`unfinished line: ${rest}`);
}

function parseLine(line) {
  const match = pattern.exec(line);
  if (match === null) throw new SyntaxError(`not a reading in JSON or text: ${line}`);
  const [, sensor, time, value] = match;
  return { sensor, at: Number(time), value: Number(value) };
}
