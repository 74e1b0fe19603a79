"""Whole stories in a real browser: Playwright drives Debian's Chromium."""
