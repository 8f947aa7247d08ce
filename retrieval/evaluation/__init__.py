"""How well search ranks and when it should stay silent, measured on data with known answers."""
