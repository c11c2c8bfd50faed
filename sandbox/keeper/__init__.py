"""Process 1 of a sandbox: starts one fresh process a game and tells the host how it ended. Never loads bot code."""
