"""laconic as tools for agents: a server of the Model Context Protocol. Needs the extra `mcp`."""
