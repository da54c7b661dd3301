from configparser import ConfigParser
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Settings:
    batch_size: int
    timeout: float
    parallel: int
    link_days: int
    subject_max: int = 60
    open_campaigns_max: int = 9


def load():
    parser = ConfigParser()
    parser.read(Path(__file__).with_name("settings.ini"))
    send = parser["send"]
    return Settings(
        batch_size=send.getint("batch_size"),
        timeout=send.getfloat("timeout_seconds"),
        parallel=send.getint("parallel"),
        link_days=parser["unsubscribe"].getint("link_days"),
    )


settings = load()
