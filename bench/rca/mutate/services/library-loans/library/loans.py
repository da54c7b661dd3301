from datetime import timedelta

from .fees import fee_for


class Loans:
    def __init__(self, database, catalog, members):
        self.database = database
        self.catalog = catalog
        self.members = members

    def lend(self, member, isbn, on):
        days, limit = self.members.terms(member)
        open_loans = self.database.all("select * from loans where member = ? and returned is null", member)
        if len(open_loans) >= limit:
            raise RuntimeError(f"member {member} has {len(open_loans)} of {limit} books")
        if self.catalog.free_copies(isbn) < 1:
            raise RuntimeError(f"no free copy of {isbn}")
        due = on + timedelta(days=days)
        self.database.run("insert into loans values (?, ?, ?, ?, null)", member, isbn, on.isoformat(), due.isoformat())
        return due

    def give_back(self, member, isbn, on):
        loan = self.database.one("select rowid, * from loans where member = ? and isbn = ? and returned is null", member, isbn)
        if loan is None:
            raise LookupError(f"{isbn} is not lent to {member}")
        self.database.run("update loans set returned = ? where rowid = ?", on.isoformat(), loan["rowid"])
        fee = fee_for(loan["due"], on, self.members.find(member)["kind"])
        if fee:
            self.members.charge(member, fee)
        waiting = self.database.one("select member from reservations where isbn = ?", isbn)
        if waiting:
            self.database.run("delete from reservations where isbn = ? and member = ?", isbn, waiting["member"])
            self.lend(waiting["member"], isbn, on)
        return {"fee": fee, "next": self.members.find(waiting["member"])["name"] if waiting else None}

    def reserve(self, member, isbn):
        name = self.members.find(member)["name"]
        self.database.run("insert into reservations values (?, ?)", member, isbn)
        return {"for": name.lower(), "title": self.catalog.find(isbn)["title"]}

    def overdue(self, on):
        rows = self.database.all("select * from loans where returned is null and due < ? order by due", on.isoformat())
        return [f"{self.members.find(row['member'])['name']}: {self.catalog.find(row['isbn'])['title']}" for row in rows]
