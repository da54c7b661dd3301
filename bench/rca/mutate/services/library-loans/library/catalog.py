import json


class Catalog:
    def __init__(self, database):
        self.database = database

    def add(self, isbn, title, authors, copies):
        self.database.run("insert into books values (?, ?, ?, ?)", isbn, title, json.dumps(authors), copies)
        return {"isbn": isbn}

    def find(self, isbn):
        row = self.database.one("select * from books where isbn = ?", isbn)
        if row is None:
            raise LookupError(f"no book {isbn}")
        return {"isbn": row["isbn"], "title": row["title"], "authors": json.loads(row["authors"]), "copies": row["copies"]}

    def free_copies(self, isbn):
        out = self.database.one("select count(*) as count from loans where isbn = ? and returned is null", isbn)
        return self.find(isbn)["copies"] - out["count"]

    def describe(self, isbn):
        book = self.find(isbn)
        first, *others = book["authors"]
        by = first + (f" and {len(others)} more" if others else "")
        return {"text": f"{book['title'].strip()} by {by}", "free": self.free_copies(isbn)}

    def popular(self):
        rows = self.database.all("select isbn, count(*) as count from loans group by isbn order by count desc, isbn")
        return [{"title": self.find(row["isbn"])["title"], "loans": row["count"]} for row in rows]
