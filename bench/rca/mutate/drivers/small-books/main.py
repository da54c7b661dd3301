from database import open_books
from queries import lint
from tables import draw

books = open_books()
rows = books.report()
print(draw(rows).splitlines()[1])
print(lint("select a.x, count(*) as n from t1 as a left join t2 b on a.id=b.id where a.x in (1,2) and b.y between 1 and 3 group by a.x order by n desc; insert into t values ('a;b', 2)"))
print(rows[0]["author"].upper(), books.cached(1)["title"].strip(), books.ranges("b", "f")[0])
