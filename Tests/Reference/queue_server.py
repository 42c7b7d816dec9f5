"""A server on this machine with a known limit, for load tests: HTTP/2 without encryption, on the loopback address alone.

    queue_server.py --servers 4 --mean-ms 180 --shape 4 --queue 12 [--seed 1] [--seconds 300]

It prints its port, and ends when its standard input does or the seconds are over. So many requests are served at a time, each for a time that is drawn from a
gamma distribution (shape 0: all take the mean); so many more wait in the order of their arrival; a further one gets 503 at once. Nothing but Python's standard library: an
answer needs no table of headers (RFC 7541: `:status 200` is one byte, other codes a literal), and what a request asks for is of no matter here.
"""

import argparse
import asyncio
import collections
import random
import struct
import sys

DATA, HEADERS, SETTINGS, PING, GOAWAY = 0, 1, 4, 6, 7
END_STREAM, ACK, END_HEADERS = 1, 1, 4
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SERVED = b"\x88"
REFUSED = b"\x08\x03503"


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


class Pool:
    """Servers behind one queue."""

    def __init__(self, options):
        self.loop = asyncio.get_running_loop()
        self.random = random.Random(options.seed)
        self.mean, self.shape = options.mean_ms / 1000, options.shape
        self.idle, self.room = options.servers, options.queue
        self.queue = collections.deque()

    def take(self, answer):
        if self.idle > 0:
            self.idle -= 1
            self.begin(self.loop.time(), answer)
        elif len(self.queue) < self.room:
            self.queue.append(answer)
        else:
            answer(REFUSED)

    def begin(self, at, answer):
        service = self.random.gammavariate(self.shape, self.mean / self.shape) if self.shape > 0 else self.mean
        self.loop.call_at(at + service, self.finish, at + service, answer)

    def finish(self, due, answer):
        # A server begins its next request when it was due, not when the loop came round to it: being late does not add up.
        answer(SERVED)
        if self.queue:
            self.begin(due, self.queue.popleft())
        else:
            self.idle += 1


class Connection(asyncio.Protocol):
    def __init__(self, pool):
        self.pool = pool
        self.bytes = b""
        self.has_begun = False

    def connection_made(self, transport):
        self.transport = transport
        # Many streams at a time (setting 3), and frames of the usual size.
        transport.write(frame(SETTINGS, 0, 0, struct.pack(">HI", 3, 100_000)))

    def data_received(self, data):
        self.bytes += data
        if not self.has_begun:
            if len(self.bytes) < len(PREFACE):
                return
            if not self.bytes.startswith(PREFACE):
                self.transport.close()
                return
            self.bytes = self.bytes[len(PREFACE):]
            self.has_begun = True
        while len(self.bytes) >= 9:
            length = int.from_bytes(self.bytes[:3], "big")
            if len(self.bytes) < 9 + length:
                return
            kind, flags, stream = self.bytes[3], self.bytes[4], int.from_bytes(self.bytes[5:9], "big")
            payload, self.bytes = self.bytes[9:9 + length], self.bytes[9 + length:]
            if kind == SETTINGS and not flags & ACK:
                self.transport.write(frame(SETTINGS, ACK, 0))
            elif kind == PING and not flags & ACK:
                self.transport.write(frame(PING, ACK, 0, payload))
            elif kind == HEADERS and flags & END_STREAM:
                self.pool.take(lambda block, stream=stream: self.answer(stream, block))
            elif kind == GOAWAY:
                self.transport.close()

    def answer(self, stream, block):
        if not self.transport.is_closing():
            self.transport.write(frame(HEADERS, END_STREAM | END_HEADERS, stream, block))


async def main(options):
    loop = asyncio.get_running_loop()
    pool = Pool(options)
    server = await loop.create_server(lambda: Connection(pool), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    ended = loop.run_in_executor(None, sys.stdin.read)
    await asyncio.wait([ended], timeout=options.seconds)
    server.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--servers", type=int, required=True)
    parser.add_argument("--mean-ms", type=float, required=True)
    parser.add_argument("--shape", type=float, default=0)
    parser.add_argument("--queue", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300)
    asyncio.run(main(parser.parse_args()))
