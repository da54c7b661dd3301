import { describe, expect, it } from "vitest";
import { type Files, ofKind, traced } from "../signals-in.ts";

const seats = (loaded: string): { "hall.py": string; "store.py": string } => ({
  "hall.py": "from store import load\n\ndef seat(number: int):\n    seats = load()\n    return seats[number]\n",
  "store.py": `import json\n\ndef load():\n    with open("seats.json") as file:\n        data = json.load(file)\n    ${loaded}\n\ndef save(seats):\n    with open("seats.json", "w") as file:\n        json.dump(seats, file)\n`,
});
const log = (message: string): string =>
  `Traceback (most recent call last):\n  File "/srv/hall.py", line 5, in seat\n    return seats[number]\n           ~~~~~^^^^^^^^\n${message}\n`;

async function found(files: Files, message = "KeyError: 14"): Promise<{ line: number; args: object }[]> {
  return ofKind((await traced(log(message), files)).signals, "lost-keys");
}

describe("an object that is looked up by a number", () => {
  it("is found where it is handed on with the keys that JSON gave it", async () => {
    expect(await found(seats("return data"))).toMatchObject([{ args: { parse: "json.load", key: "14" } }]);
    expect(await found(seats('return data["seats"]'))).toEqual([
      { line: 6, args: { parse: "json.load", key: "14", handed: 'data["seats"]' } },
    ]);
    expect(await found(seats("return {number: dict(seat) for number, seat in data.items()}"))).toHaveLength(1);
  });

  it.each([
    "return {int(number): seat for number, seat in data.items()}",
    "return dict((int(key), data[key]) for key in data)",
    'return {seat["number"]: seat for seat in data}',
    'seats = {}\n    for seat in data:\n        seats[seat["number"]] = seat\n    return seats',
    "return dict(enumerate(data))",
  ])("isn't it when the keys are made numbers again, or are others: %s", async (loaded) => {
    expect(await found(seats(loaded))).toEqual([]);
  });

  it("isn't it when the key is a text, or the object is of the program", async () => {
    expect(await found(seats("return data"), "KeyError: '14'")).toEqual([]);
    expect(await found({ ...seats("return data"), "store.py": "def load():\n    return {1: 'a', 2: 'b'}\n" })).toEqual(
      [],
    );
  });

  it("is found where it was read, whatever reads from it later", async () => {
    const files = {
      ...seats("return data"),
      "hall.py":
        "from store import load\n\ndef seat(number: int):\n    seats = load()['seats']\n    return seats[number]\n",
    };
    expect(await found(files)).toMatchObject([{ line: 5 }]);
  });

  it("isn't it when the program writes no JSON, so people wrote the keys", async () => {
    const files = seats("return data");
    expect(await found({ ...files, "store.py": files["store.py"].split("\ndef save")[0] ?? "" })).toEqual([]);
  });

  it("isn't it when only the key is read from JSON", async () => {
    const files = {
      "hall.py":
        "import json\n\ndef seat(file):\n    number = json.load(file)['seat']\n    return SEATS[number]\n\nSEATS = {1: 'a'}\n",
    };
    const said = log("KeyError: 14").replace(
      "seats[number]\n           ~~~~~^^^^^^^^",
      "SEATS[number]\n           ~~~~~^^^^^^^^",
    );
    expect(ofKind((await traced(said, files)).signals, "lost-keys")).toEqual([]);
  });

  it.each([
    ["int", 1],
    ["str", 0],
  ])("is found when nothing was got by a %s, and the code threw for it", async (type, count) => {
    const files = {
      ...seats("return data"),
      "hall.py": `from store import load\n\nclass Hall:\n    def __init__(self):\n        self._seats = load()\n\n    def seat(self, number: ${type}):\n        seat = self._seats.get(number)\n        if seat is None:\n            raise LookupError(f"no seat {number}")\n        return seat\n`,
    };
    const said = `Traceback (most recent call last):\n  File "/srv/hall.py", line 10, in seat\n    raise LookupError(f"no seat {number}")\nLookupError: no seat 14\n`;
    expect(ofKind((await traced(said, files)).signals, "lost-keys")).toHaveLength(count);
  });
});
