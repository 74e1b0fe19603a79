"""What people see of each entity, and how they list, filter, sort, change and decide about it."""
