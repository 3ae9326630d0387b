"""What a test of a cell raises; light enough for every session of pytest to import."""


class CellFailure(AssertionError):
    """A cell deviates.

    message  one line
    text     the evidence: the simplest wrong element, and how to rerun it
    """

    __module__ = "qconform"  # as unittest shows it

    def __init__(self, message: str, text: str) -> None:
        super().__init__("\n".join(part for part in (message, text) if part))
        self.message = message
        self.text = text
