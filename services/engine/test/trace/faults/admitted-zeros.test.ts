import { describe, expect, it } from "vitest";
import { ofKind, traced } from "../signals-in.ts";

const log =
  'Traceback (most recent call last):\n  File "/srv/tank.py", line 3, in level\n    return tank.liters / total\nZeroDivisionError: float division by zero\n';
const tank = "def level(tank):\n    total = sum(pump.rate for pump in tank.pumps)\n    return tank.liters / total\n";
const form = (rules: string, field = "rate"): string =>
  `class PumpForm(Form):\n    name = StringField("Name")\n    ${field} = DecimalField("Rate", ${rules})\n`;

describe("a check that accepts 0", () => {
  const admittedIn = async (text: string, failing = tank) =>
    ofKind((await traced(log, { "tank.py": failing, "forms.py": text })).signals, "admitted-zero");

  it("is named where the failing code divides by what is computed from the field", async () => {
    const args = { field: "rate", divisor: "total" };
    expect(await admittedIn(form("validators=[NumberRange(min=0)]"))).toEqual([
      { line: 3, args: { ...args, code: "NumberRange(min=0)" } },
    ]);
    expect(await admittedIn(form("validators=[MinValueValidator(0)]"))).toEqual([
      { line: 3, args: { ...args, code: "MinValueValidator(0)" } },
    ]);
    const named =
      'class PumpForm(Form):\n    bounds = [NumberRange(min=0)]\n    rate = DecimalField("Rate", validators=bounds)\n';
    expect(await admittedIn(named)).toEqual([{ line: 2, args: { ...args, code: "NumberRange(min=0)" } }]);
    const model = "from pydantic import BaseModel, Field\n\nclass Pump(BaseModel):\n    rate: float = Field(ge=0)\n";
    expect(await admittedIn(model)).toEqual([{ line: 4, args: { ...args, code: "Field(ge=0)" } }]);
  });

  it.each([
    ["the bound is above 0", form("validators=[NumberRange(min=0.1)]")],
    ["0 itself is refused", form("gt=0")],
    ["the bound is of another field", form("validators=[NumberRange(min=0)]", "delay")],
    ["there is no bound", form("default=1")],
  ])("isn't suspected where %s", async (_, text) => {
    expect(await admittedIn(text)).toEqual([]);
  });

  it("isn't suspected where the divisor comes from elsewhere", async () => {
    const other = tank.replace("sum(pump.rate for pump in tank.pumps)", "len(tank.pumps)");
    expect(await admittedIn(form("validators=[NumberRange(min=0)]"), other)).toEqual([]);
  });

  it("isn't suspected where many places accept 0", async () => {
    const many = Array.from({ length: 4 }, (_, index) =>
      form("validators=[NumberRange(min=0)]").replace("PumpForm", `Form${index}`),
    );
    expect(await admittedIn(many.join("\n"))).toEqual([]);
  });
});
