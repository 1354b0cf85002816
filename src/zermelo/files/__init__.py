"""Files and folders of every kind: written as a whole or not at all, refused in words when they are damaged."""
