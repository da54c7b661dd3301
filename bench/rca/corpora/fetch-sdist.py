"""Downloads source archives with pip: `fetch-sdist.py FOLDER NAME==VERSION...`, each into a folder named after it.

`pip download` builds what it downloads to learn its dependencies, so it runs scripts of the package; this doesn't.
"""

import os
import sys

from pip._internal.commands import create_command
from pip._internal.network.download import Downloader
from pip._vendor.packaging.requirements import Requirement

folder, *wanted = sys.argv[1:]
command = create_command("download")
options, _ = command.parse_args(["--quiet", "--no-binary", ":all:", "--ignore-requires-python", *wanted])
with command.main_context():
    session = command.get_default_session(options)
    finder = command._build_package_finder(options=options, session=session, ignore_requires_python=True)
    for text in wanted:
        requirement = Requirement(text)
        found = finder.find_best_candidate(requirement.name, requirement.specifier).best_candidate
        if found is None:
            print(f"{text} has no source archive", file=sys.stderr)
            continue
        target = os.path.join(folder, text)
        os.makedirs(target)
        Downloader(session, "off")(found.link, target)
