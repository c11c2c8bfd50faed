"""Raises its limits."""
# family: resources
# verdict: none
# backends: docker

import resource

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            for which in (resource.RLIMIT_NPROC, resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE):
                soft, hard = resource.getrlimit(which)
                try:
                    resource.setrlimit(which, (hard + 1, hard + 1))
                except (OSError, ValueError):
                    continue
                raise SystemError("a limit was raised")
            raise OSError
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
