from datetime import date, timedelta


class Restocker:
    def __init__(self, stock, supplier, rules):
        self.stock = stock
        self.supplier = supplier
        self.rules = rules

    def run(self, today):
        needed = [kind for kind, rule in self.rules.items() if self.stock.free(kind) < rule["below"] * 2]
        answer = self.supplier.order([(kind, self.rules[kind]["below"]) for kind in needed])
        arrives = date.fromisoformat(answer["arrives"]["date"])
        ordered = []
        for line in answer["lines"]:
            rule = self.rules[line["kind"]]
            if arrives > today + timedelta(days=rule["lead_days"]):
                raise RuntimeError(f"{line['kind']} arrives too late, on {arrives}")
            self.stock.receive(line["kind"], line["count"], date.fromisoformat(line["expires"]))
            ordered.append((line["kind"], line["count"], line["price"]["cents"], arrives))
        return ordered
