"""The dashboard: pages for the people who pick leads and for those who keep the machine running."""
