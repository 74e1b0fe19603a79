"""What is deployed is what the Procfile says."""
