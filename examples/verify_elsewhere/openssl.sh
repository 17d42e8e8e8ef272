#!/bin/sh
# Check the signature of a receipt with openssl and the usual tools of a shell; nothing of ours, no Python.
#   openssl.sh RECEIPT.dsse.json KEY.pub.pem
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A receipt has one spelling, on one line and without a space, so a field can be cut out.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$2"; }
kind=$(field payloadType "$1")
field payload "$1" | openssl base64 -d -A > "$folder/payload"
field sig "$1" | openssl base64 -d -A > "$folder/sig"

# The key that the receipt names is the key that was given.
keyid=$(openssl pkey -pubin -in "$2" -outform DER | openssl dgst -sha256 -r | cut -d ' ' -f 1)
[ "$keyid" = "$(field keyid "$1")" ] || { echo "openssl: REFUSED, the receipt names another key"; exit 1; }

# What DSSE signs: type and payload, each behind its length in bytes.
pae() { printf 'DSSEv1 %d %s %d ' "${#kind}" "$kind" "$(wc -c < "$1")"; cat "$1"; }
verify() {
  pae "$1" > "$folder/pae"
  openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$folder/pae" -sigfile "$folder/sig" > /dev/null 2>&1
}
key=$2
verify "$folder/payload" || { echo "openssl: REFUSED, the signature is not right"; exit 1; }
echo "openssl: signed by $keyid"

# The control: with its first byte flipped (the brace becomes another character) the same check has to refuse.
{ printf 'z'; tail -c +2 "$folder/payload"; } > "$folder/flipped"
if verify "$folder/flipped"; then echo "openssl: a flipped byte was NOT refused"; exit 1; fi
echo "openssl: a flipped byte is refused"
