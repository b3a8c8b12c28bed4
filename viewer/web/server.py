"""Serves a folder to this machine only: python3 viewer/web/server.py FOLDER PORT

Two headers isolate the page from other origins. Only then do browsers give it a clock finer than a
tenth of a millisecond, and skinning takes less than that.
"""

import functools
import http.server
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self):
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()


folder, port = sys.argv[1], int(sys.argv[2])
try:
    http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=folder)).serve_forever()
except OSError as error:
    sys.exit(f"port {port}: {error.strerror}; choose another port: bash viewer/web/serve PORT")
except KeyboardInterrupt:
    pass
