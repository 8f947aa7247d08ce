"""Answers that are ready before they are asked for: those a company wrote (FAQ) and those given before (cache)."""
