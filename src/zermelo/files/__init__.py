"""Files and folders. Files are written completely or not at all; for a damaged file, an error says what is wrong."""
