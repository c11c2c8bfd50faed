"""Writes wherever it can."""
# family: reach
# verdict: none
# backends: docker
# limits: slow

import os

from arena import Bot


class Hostile(Bot):
    tried = False

    def act(self, view):
        if self.tried:
            return view.legal[0]
        self.tried = True
        try:
            for folder, _, _ in os.walk("/"):
                try:
                    os.close(os.open(os.path.join(folder, "left"), os.O_CREAT | os.O_WRONLY))
                except OSError:
                    continue
                raise SystemError(folder)
            raise OSError
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
