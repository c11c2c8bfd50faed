"""Tournaments: entries, plan, queue, results, ratings, standings, fair deals."""
