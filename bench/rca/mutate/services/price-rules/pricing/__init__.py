"""Prices and discounts."""
