"""Forms, and what their values must be."""
