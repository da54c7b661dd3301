"""What ties events to the request that a framework serves, one module for each."""
