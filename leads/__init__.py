"""What people do with what was found: leads and exports, contacts by hand, suppression, erasure, and every journey."""
