"""Programs of asyncio."""

import client  # noqa: F401, I001 -- first, as programs do it
import sys


def asyncio_crash():  # arrives: in main
    import asyncio

    async def main():
        await asyncio.sleep(0)
        raise ValueError("in main")

    asyncio.run(main())


def asyncio_lost_task():  # arrives: in a task
    import asyncio

    async def fail():
        raise ValueError("in a task")

    async def main():
        asyncio.ensure_future(fail())
        await asyncio.sleep(0.01)
        import gc

        gc.collect()

    asyncio.run(main())


def asyncio_own_handler():  # arrives: in a task
    import asyncio

    async def fail():
        raise ValueError("in a task")

    async def main():
        asyncio.get_running_loop().set_exception_handler(
            lambda loop, context: print("own", context["exception"])
        )
        asyncio.ensure_future(fail())
        await asyncio.sleep(0.01)
        import gc

        gc.collect()

    asyncio.run(main())


def asyncio_callback():  # arrives: in a callback
    import asyncio

    def fail():
        raise ValueError("in a callback")

    async def main():
        asyncio.get_running_loop().call_soon(fail)
        await asyncio.sleep(0.01)

    asyncio.run(main())


def asyncio_task_names():
    import asyncio

    async def main():
        print(asyncio.current_task().get_name(), asyncio.get_running_loop().get_task_factory())

    asyncio.run(main())


def asyncio_cancelled():
    import asyncio

    async def main():
        task = asyncio.ensure_future(asyncio.sleep(10))
        await asyncio.sleep(0)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            print("cancelled")

    asyncio.run(main())


def asyncio_group():  # arrives: unhandled errors in a TaskGroup (1 sub-exception)
    import asyncio

    async def fail():
        raise ValueError("member")

    async def main():
        async with asyncio.TaskGroup() as group:
            group.create_task(fail())

    asyncio.run(main())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
