class Budget:
    """Memory that jobs take and give back, in MB."""

    def __init__(self, megabytes):
        self.megabytes = megabytes
        self.taken = 0

    def reserve(self, megabytes):
        if self.taken + megabytes > self.megabytes:
            raise RuntimeError(f"memory exhausted: {self.taken} of {self.megabytes} MB in use")
        self.taken += megabytes

    def free(self, megabytes):
        self.taken -= megabytes


budget = Budget(100)
