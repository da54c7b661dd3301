#: The build replaces it by the version of package.json, which changesets writes.
__version__ = "0.0.0"
