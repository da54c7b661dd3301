"""Recipes, and when to begin cooking."""
