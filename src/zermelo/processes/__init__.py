"""Other processes: talking to them in lines of text, and making sure that none is left running."""
