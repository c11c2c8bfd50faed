"""Defines no bot."""
# family: exceptions
# verdict: load

from arena import Bot

print("nothing here")
