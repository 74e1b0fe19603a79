"""Place providers: where businesses are found."""
