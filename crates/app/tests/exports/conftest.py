"""Exported submissions, unpacked as their platforms do. STONELINE names the program."""

import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    """A function that exports for a platform, once for the same words, and gives the folder."""
    known = {}

    def export(platform, *options):
        words = (platform, *options)
        if words not in known:
            folder = tmp_path_factory.mktemp(platform)
            command = [os.environ["STONELINE"], "export", platform, str(folder), *options]
            # Without cargo: what lies beside the program is exported, nothing is built.
            alone = {key: value for key, value in os.environ.items() if key != "CARGO"}
            told = subprocess.run(command, check=True, capture_output=True, text=True, env=alone).stdout
            assert all(str(folder / name) in told for name in os.listdir(folder)), told
            known[words] = folder
        return known[words]

    return export
