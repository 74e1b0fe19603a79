"""Who may come in and what they may do: users, passwords, log-ins, keys, and the record of who changed what."""
