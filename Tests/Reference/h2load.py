"""Lets h2load play the timing script of an export against a small server on this machine, and compares what arrives.

    h2load.py EXPORT

The addresses of the script are those of another host: `--base-uri` sends them here. Every request must arrive with its own path, and in time as far as h2load keeps it.
"""

import collections
import http.server
import pathlib
import subprocess
import sys
import threading
import time
import urllib.parse


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    arrived = []

    def do_GET(self):
        self.arrived.append((time.monotonic(), self.path))
        self.send_response(204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


def main(folder):
    script = pathlib.Path(folder) / "requests.tsv"
    planned = []
    for line in script.read_text(encoding="utf-8").splitlines():
        milliseconds, url = line.split("\t")
        parts = urllib.parse.urlsplit(url)
        planned.append((float(milliseconds) / 1000, parts.path + ("?" + parts.query if parts.query else "")))
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    command = ["h2load", "--h1", "-c", "1", "-t", "1", "--base-uri", f"http://127.0.0.1:{server.server_address[1]}", "--timing-script-file", str(script)]
    end = subprocess.run(command, capture_output=True, text=True, timeout=120 + planned[-1][0])
    server.shutdown()
    if end.returncode != 0:
        sys.exit(f"h2load ended with {end.returncode}: {end.stderr}{end.stdout}")
    arrived = Handler.arrived
    if collections.Counter(path for _, path in arrived) != collections.Counter(path for _, path in planned):
        sys.exit(f"{len(arrived)} requests arrived of {len(planned)}, or others:\n{end.stdout}")
    # From the first request on: h2load has to connect before. It starts each wait when the one before is over, and ends it up to a millisecond late, so it falls
    # behind by that much a request.
    origin = arrived[0][0] - planned[0][0]
    late = [at - origin - due for (at, _), (due, _) in zip(arrived, planned)]
    each = 1000 * late[-1] / len(late)
    # No more than a note: a busy machine makes any request late.
    print(f"h2load: {len(arrived)} requests arrived, each path as often as in the script; the last one {1000 * late[-1]:.0f} ms late, {each:.2f} ms a request")


if __name__ == "__main__":
    main(*sys.argv[1:])
