import queue

SIZE = 2


class Pool:
    def __init__(self):
        self.free = queue.Queue()
        for number in range(SIZE):
            self.free.put(f"connection {number}")

    def acquire(self):
        try:
            return self.free.get(timeout=0.2)
        except queue.Empty:
            raise TimeoutError(f"pool limit of {SIZE} reached, connection timed out after 0.2 s") from None

    def release(self, connection):
        self.free.put(connection)


pool = Pool()
