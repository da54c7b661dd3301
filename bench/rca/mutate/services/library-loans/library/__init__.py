"""Loans of a small library."""
