"""Other processes: talking to them in lines, and making sure that none is left behind."""
