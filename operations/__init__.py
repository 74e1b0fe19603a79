"""What an operator sees of the machine and does to it: stages, work, workers, jobs, meters, alarms."""
