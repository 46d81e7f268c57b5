"""Documents: fit texts of any length into one budget, with their structure intact."""
