"""The operations: each reads what was asked, calls one function of the app that knows, and gives the answer a shape."""
