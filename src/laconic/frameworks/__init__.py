"""laconic in the frameworks that people build retrieval with: a module each, and an extra of its own."""
