"""Downloads a source archive with pip, `fetch-sdist.py FOLDER NAME==VERSION...`.

`pip download` builds what it downloads to learn its dependencies, so it runs scripts of the package; this doesn't.
"""

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
    for requirement in map(Requirement, wanted):
        found = finder.find_best_candidate(requirement.name, requirement.specifier).best_candidate
        if found is None:
            sys.exit(f"{requirement} has no source archive")
        Downloader(session, "off")(found.link, folder)
