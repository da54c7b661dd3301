"""Readings of electricity meters."""
