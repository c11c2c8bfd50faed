"""Notices by mail to authors who asked for them."""
