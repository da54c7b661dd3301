from datetime import datetime, timedelta
from urllib.parse import urlsplit, urlunsplit

from codes import code_for


class Blocked(Exception):
    pass


class Links:
    def __init__(self, store, settings):
        self.store = store
        self.settings = settings

    def create(self, url, owner, alias=None, days=None):
        clean = self.normalize(url)
        code = alias or code_for(clean, self.settings["code_length"])
        until = datetime.utcnow() + timedelta(days=days) if days else None
        link = {"code": code, "url": clean, "owner": owner, "until": until}
        self.store.save("links", code, link)
        self.store.append("owners", owner, code)
        return link

    def normalize(self, url):
        parts = urlsplit(url)
        host = parts.netloc.lower()
        if host in self.settings["blocked"]:
            raise Blocked(host)
        if parts.scheme.lower() not in ("http", "https"):
            raise ValueError("not a web address: %s" % url)
        return urlunsplit((parts.scheme.lower(), host, parts.path, parts.query, ""))

    def resolve(self, code):
        link = self.store.load("links", code)
        if link["until"] is not None and link["until"] < datetime.utcnow():
            raise LookupError("%s has expired" % code)
        return link

    def by_owner(self, owner):
        return [self.resolve(code) for code in self.store.load("owners", owner)]

    def delete(self, code):
        link = self.store.remove("links", code)
        codes = self.store.load("owners", link["owner"])
        codes.remove(code)
        return link
