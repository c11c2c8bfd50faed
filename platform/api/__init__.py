"""What programs ask the site."""
