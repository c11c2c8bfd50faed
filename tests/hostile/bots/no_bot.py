"""Defines no bot."""
# verdict: load

from arena import Bot

print("nothing here")
