"""Embeds a WebAssembly module in JavaScript, compressed: python3 embed.py module.wasm module.js

LZMA makes it a quarter smaller than gzip would; lib/lzma.js reads it.
"""

import base64
import lzma
import os
import sys

source, target = sys.argv[1:]
with open(source, "rb") as file:
    module = file.read()
FILTER = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 21, "lc": 4, "lp": 0, "pb": 0}
packed = lzma.compress(module, format=lzma.FORMAT_RAW, filters=[FILTER])
# Renamed at the end: another build may read the last one meanwhile.
unfinished = f"{target}.{os.getpid()}"
with open(unfinished, "w", encoding="ascii") as file:
    file.write("// A WebAssembly module: raw LZMA (lc = 4, lp = 0, pb = 0) in base64, and its length.\n")
    file.write(f"export const length = {len(module)};\n")
    file.write(f'export const lzma =\n    "{base64.b64encode(packed).decode()}";\n')
os.replace(unfinished, target)
print(f"{target}: {len(module)} bytes, {len(packed)} compressed")
