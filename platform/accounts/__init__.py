"""Users: who signs in, who owns bots."""
