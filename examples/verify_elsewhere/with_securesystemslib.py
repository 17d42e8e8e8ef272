"""Check the signature of a receipt with securesystemslib, the library of TUF and in-toto; nothing of ours.

pip install securesystemslib cryptography
python with_securesystemslib.py RECEIPT.dsse.json KEY.pub.pem
"""

import hashlib
import json
import sys
from pathlib import Path

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey

NAME = "securesystemslib"


def is_signed(envelope: Envelope, key: SSlibKey) -> bool:
    try:
        envelope.verify([key], 1)
    except VerificationError:
        return False
    return True


def main(receipt: str, key_file: str) -> int:
    envelope = Envelope.from_dict(json.loads(Path(receipt).read_bytes()))
    public = load_pem_public_key(Path(key_file).read_bytes())
    # Our key ids are the digest of the key's standard form; the library takes any text.
    keyid = hashlib.sha256(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()
    key = SSlibKey.from_crypto(public, keyid=keyid)
    if not is_signed(envelope, key):
        print(f"{NAME}: REFUSED, the signature is not right")
        return 1
    print(f"{NAME}: signed by {keyid}")
    # The control: with one bit flipped the same check has to refuse.
    envelope.payload = bytes([envelope.payload[0] ^ 1]) + envelope.payload[1:]
    if is_signed(envelope, key):
        print(f"{NAME}: a flipped byte was NOT refused")
        return 1
    print(f"{NAME}: a flipped byte is refused")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
