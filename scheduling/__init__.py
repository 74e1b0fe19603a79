"""What runs on a clock: sweepers and invariant checks (periodiq), and people's own schedules (APScheduler)."""
