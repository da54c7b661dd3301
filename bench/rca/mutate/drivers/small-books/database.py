import peewee
from cachetools import LRUCache, TTLCache, cached, cachedmethod
from cachetools.keys import hashkey
from sortedcontainers import SortedDict, SortedKeyList, SortedList
from tinydb import Query, TinyDB, where
from tinydb.operations import increment
from tinydb.storages import MemoryStorage

db = peewee.SqliteDatabase(":memory:")


class Base(peewee.Model):
    class Meta:
        database = db


class Author(Base):
    name = peewee.CharField(unique=True, max_length=80)


class Book(Base):
    author = peewee.ForeignKeyField(Author, backref="books", on_delete="CASCADE")
    title = peewee.TextField(index=True)
    price = peewee.DecimalField(decimal_places=2, default=0)
    sold = peewee.IntegerField(default=0)


class Books:
    def __init__(self):
        self.notes = TinyDB(storage=MemoryStorage)
        self.cache = LRUCache(maxsize=2)
        self.words = SortedDict()
        self.prices = SortedKeyList(key=lambda pair: -pair[0])

    @cachedmethod(lambda self: self.cache, key=lambda self, number: hashkey("book", number))
    def cached(self, number):
        book = Book.get_by_id(number)
        return {"title": book.title, "by": book.author.name}

    def ranges(self, low, high):
        return [word for word in self.words.irange(low, high)]

    def report(self):
        total = peewee.fn.SUM(Book.sold * Book.price).alias("total")
        query = Book.select(Author.name, total, peewee.fn.COUNT(Book.id).alias("count")).join(Author).where((Book.price > 1) & Book.title.contains("e")).group_by(Author.name).having(total > 0).order_by(peewee.SQL("total").desc()).dicts()
        rows = [{"author": row["name"], "total": float(row["total"]), "count": row["count"]} for row in query]
        for number in (1, 2, 3, 1):
            self.cached(number)
        note = Query()
        liked = self.notes.search((note.stars >= 4) & (note.text.search("g.*d") | where("tags").any(["old"])))
        self.notes.update(increment("stars"), note.book == 1)
        if self.notes.get(doc_id=1)["stars"] != 6 or len(self.cache) != 2:
            raise ValueError(f"{len(liked)} notes, {len(self.cache)} cached")
        for row in rows:
            row["notes"] = len([each for each in liked if self.cached(each["book"])["by"] == row["author"]])
        return rows


@cached(TTLCache(maxsize=8, ttl=60))
def letters(title):
    return SortedList(title.lower().replace(" ", ""))


def open_books():
    db.connect(reuse_if_open=True)
    db.create_tables([Author, Book])
    books = Books()
    with db.atomic():
        for name, titles in {"Selma": [("Jerusalem", 12.5), ("Nils", 9)], "Knut": [("Sult, the novel", 7.25)]}.items():
            author = Author.create(name=name)
            Book.insert_many([{"author": author, "title": title, "price": price, "sold": len(title)} for title, price in titles]).execute()
    for book in Book.select().order_by(Book.id):
        books.words[book.title[0].lower() + str(letters(book.title)[0])] = book.id
        books.words.setdefault("c" + book.title[-1], book.id)
        books.prices.add((float(book.price), book.title))
        books.notes.insert({"book": book.id, "stars": 3 + book.id % 3 + (book.id == 1), "text": "good read", "tags": ["old"]})
    if books.prices[0][0] != 12.5 or books.prices.bisect_key_left(-9) != 1 or books.words.peekitem(0)[0] > "d":
        raise ValueError(f"prices are {list(books.prices)}")
    books.prices.update([(float(number), "x") for number in range(50)])
    books.prices.discard((3.0, "x"))
    return books
