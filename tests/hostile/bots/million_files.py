"""A million files."""
# family: resources
# verdict: none
# backends: docker

import tempfile

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            for number in range(10**6):
                open(f"/tmp/{number}", "w").close()
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
