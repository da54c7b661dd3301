DAYS = {"adult": 28, "child": 14}
LIMITS = {"adult": 5, "child": 2}


class Members:
    def __init__(self, database):
        self.database = database

    def add(self, name, kind):
        if kind not in DAYS:
            raise ValueError(f"unknown kind {kind}")
        return {"id": self.database.run("insert into members (name, kind, fee_cents) values (?, ?, 0)", name, kind)}

    def find(self, number):
        row = self.database.one("select * from members where id = ?", number)
        if row is None:
            raise LookupError(f"no member {number}")
        return dict(row)

    def terms(self, number):
        kind = self.find(number)["kind"]
        return DAYS[kind], LIMITS[kind]

    def charge(self, number, cents):
        if cents < 0:
            raise ValueError(f"a fee of {cents} cents")
        self.database.run("update members set fee_cents = fee_cents + ? where id = ?", cents, number)

    def describe(self, number):
        member = self.find(number)
        loans = self.database.all("select isbn, due from loans where member = ? and returned is null", number)
        days, limit = self.terms(number)
        left = limit - len(loans)
        return {"name": member["name"].upper(), "fee": f"{member['fee_cents'] / 100:.2f}", "left": left, "due": [row["due"][5:] for row in loans]}
