from pages import read_page, style_rules
from writer import write

MARKDOWN = """# Plan *b*

A [link](https://example.org/x "t") and `code` with **bold**.

* one
* two
    1. deep

| a | b |
|---|--:|
| 1 | 2 |

> quote

```python
def f(x): return x + 1  # one
```

![img](a.png) and ~~old~~ text.
"""

for name, html in write(MARKDOWN).items():
    page = read_page(html)
    print(name, page["title"].upper(), page["links"][0]["host"], page["items"], page["rows"][1][0].strip())
rules = style_rules("a.b > p:first-child { color: #ff0000; margin: 1px 2em } @media print { p { display: none } } /* x */ li:not(.x) ~ a[href^='h'] { width: calc(1px + 2%) }")
print(rules[0]["color"].alpha, rules[0]["specificity"], len(rules))
