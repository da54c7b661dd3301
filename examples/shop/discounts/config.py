"""The configuration of the process."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    port: int
    catalog_url: str
    upstream_timeout_s: float


config = Config(
    port=int(os.environ.get("PORT", "4106")),
    catalog_url=os.environ.get("CATALOG_URL", "http://127.0.0.1:4104"),
    upstream_timeout_s=float(os.environ.get("UPSTREAM_TIMEOUT_MS", "3000")) / 1000,
)
