import asyncio
import logging

from .aggregate import Aggregator
from .forecast import outlook
from .parse import parse_frame
from .publish import Publisher
from .stations import Stations

log = logging.getLogger("ingest")


async def reader(frames, queue):
    for frame in frames:
        await queue.put(frame)
        await asyncio.sleep(0)
    await queue.put(None)


async def worker(queue, stations, aggregator):
    handled = 0
    while True:
        frame = await queue.get()
        if frame is None:
            break
        try:
            observation = parse_frame(frame.decode("utf-8"))
            station = await stations.lookup(observation["station"])
            aggregator.add(station, observation)
            handled += 1
        except ValueError:
            log.exception("frame %r was dropped", frame[:12])
        finally:
            queue.task_done()
    return handled


async def run(frames):
    queue = asyncio.Queue(maxsize=2)
    stations = Stations()
    aggregator = Aggregator()
    _, handled = await asyncio.gather(reader(frames, queue), worker(queue, stations, aggregator))
    publisher = Publisher()
    for name, day in aggregator.days():
        summary = aggregator.summary(name, day)
        await publisher.publish(name, summary, outlook(summary))
    print(handled, await publisher.close())
