"""Courses drafted from the structure of documents: an outline, then its lessons in the documents' own words."""
