"""Workers on several machines: groups of processes that share nothing but Postgres, the broker and the internet."""
