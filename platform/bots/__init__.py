"""Bots and their versions: uploads, the check, and the sandboxes in which bots run."""
