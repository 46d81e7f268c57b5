"""laconic over HTTP: a service with a page, worker processes on all cores, and a bounded queue."""
