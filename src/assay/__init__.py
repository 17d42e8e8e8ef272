"""The model proposes; evidence and tests decide; a receipt lets anyone decide again.

The whole building: kernel (bedrock) at the bottom, interfaces (doors) at the top; imports only go down.
"""

__version__ = "0.1.0"
