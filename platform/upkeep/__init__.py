"""What keeps a site running: signs of life, the audit log, backups, migrations that lock nothing for long."""
