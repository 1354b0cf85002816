"""A class arena: what students hand in is checked, plays on a ladder in a sandbox, and is rated with error bars."""
