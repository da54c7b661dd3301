from urllib.parse import urlsplit

import html5lib
import tinycss2
import tinycss2.color4
from bs4 import BeautifulSoup, Comment
from cssselect import HTMLTranslator, parse


def read_page(html):
    document = f"<!DOCTYPE html><html><head><title>T &amp; U</title><!-- note --></head><body>{html}<p>unclosed<table><td>x</body></html>"
    soup = BeautifulSoup(document, "html5lib")
    tree = html5lib.parse(document, namespaceHTMLElements=False)
    heading = soup.find(["h1", "h2"])
    links = [{"host": urlsplit(link["href"]).netloc, "text": link.get_text(strip=True)} for link in soup.select("a[href^='http']:not(.x)")]
    rows = [[cell.text for cell in row.find_all(["th", "td"])] for row in soup.select("table tr")]
    notes = [text for text in soup.find_all(string=lambda text: isinstance(text, Comment))]
    if len(tree.findall(".//tr")) != len(rows):
        raise ValueError(f"{len(rows)} rows, expected {len(tree.findall('.//tr'))}")
    soup.body.append(soup.new_tag("footer", attrs={"class": "end"}))
    soup.find("footer").string = notes[0].strip()
    html5lib.serialize(tree, omit_optional_tags=False, quote_attr_values="always")
    return {"title": heading.get_text(" "), "links": links, "rows": rows, "items": len(soup.select("ul > li, ol li:nth-of-type(2n+1)")), "end": soup.prettify()[-20:]}


def style_rules(css):
    rules = []
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        if rule.type != "qualified-rule":
            continue
        text = tinycss2.serialize(rule.prelude).strip()
        (selector,) = parse(text)
        declarations = tinycss2.parse_declaration_list(rule.content, skip_whitespace=True)
        values = {declaration.lower_name: declaration.value for declaration in declarations}
        color = tinycss2.color4.parse_color(values["color"][-1]) if "color" in values else None
        path = HTMLTranslator().css_to_xpath(text.replace("~ a", "a"))
        rules.append({"selector": selector.canonical(), "specificity": selector.specificity(), "color": color, "path": path})
    return rules
