"""Files of keys and of trust: what only their user may read and write, and what lies where it should not."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from tests.support.signing_world import ALICE, TRUSTED, signer

from assay.kernel.errors import InputError
from assay.ledger import keys
from assay.ledger.signing import is_signature, new_signer, private_pem, public_of, public_pem, signer_of
from assay.receipts.signing import TrustedKey


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def refusal(code: str) -> pytest.RaisesExc[InputError]:
    """Expect an error with that code, on one line."""
    return pytest.RaisesExc(InputError, check=lambda fault: fault.code == code and "\n" not in str(fault))


def private(path: Path, data: bytes = private_pem(ALICE), permissions: int = 0o600) -> Path:
    """A file of a private key."""
    path.write_bytes(data)
    path.chmod(permissions)
    return path


def test_a_pair_is_written_for_its_user_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        public = keys.write_pair(tmp_path / "a" / "keys" / "ci.pem", ALICE, force=False)
    finally:
        os.umask(before)
    assert public == tmp_path / "a" / "keys" / "ci.pub.pem"
    assert (mode(public), mode(tmp_path / "a" / "keys" / "ci.pem"), mode(tmp_path / "a" / "keys")) == (
        0o644,
        0o600,
        0o700,
    )
    assert keys.read_private(tmp_path / "a" / "keys" / "ci.pem") == ALICE
    assert keys.read_public(public) == ALICE.public


@pytest.mark.parametrize("there", ["ci.pem", "ci.pub.pem"])
def test_no_file_is_written_over(tmp_path: Path, there: str) -> None:
    (tmp_path / there).symlink_to(tmp_path / "elsewhere")
    with refusal("key.exists"):
        keys.write_pair(tmp_path / "ci.pem", ALICE, force=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == [there]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with refusal("key.file"):
        keys.write_pair(tmp_path / "file" / "ci.pem", ALICE, force=False)


@pytest.mark.parametrize("is_link", [False, True], ids=["in it", "through a link"])
def test_a_private_key_does_not_go_into_a_work_tree_unless_forced(tmp_path: Path, is_link: bool) -> None:
    tree = tmp_path / "tree"
    (tree / "deep").mkdir(parents=True)
    (tree / ".git").touch()  # a file, as linked work trees have it
    folder = tree / "deep"
    if is_link:
        folder = tmp_path / "link"
        folder.symlink_to(tree / "deep")
    with refusal("key.work_tree"):
        keys.write_pair(folder / "ci.pem", ALICE, force=False)
    assert list(folder.iterdir()) == []
    keys.write_pair(folder / "ci.pem", ALICE, force=True)
    assert keys.read_private(folder / "ci.pem") == ALICE


@pytest.mark.parametrize("permissions", [0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o666])
def test_a_private_key_that_others_may_touch_is_refused_with_the_fix(tmp_path: Path, permissions: int) -> None:
    path = private(tmp_path / "ci.pem", permissions=permissions)
    with pytest.raises(InputError, match=f"mode {permissions:04o}.*`chmod 600 {path}`") as caught:
        keys.read_private(path)
    assert caught.value.code == "key.permissions"
    path.chmod(0o400)
    assert keys.read_private(path) == ALICE


def pem(key: Ed25519PrivateKey | ec.EllipticCurvePrivateKey, passphrase: bytes = b"") -> bytes:
    sealed = BestAvailableEncryption(passphrase) if passphrase else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, sealed)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        pytest.param(b"", "no Ed25519 private key", id="nothing"),
        pytest.param(private_pem(ALICE)[:-40], "no Ed25519 private key", id="cut short"),
        pytest.param(public_pem(ALICE.public), "no Ed25519 private key", id="the public half"),
        pytest.param(pem(ec.generate_private_key(ec.SECP256R1())), "no Ed25519 private key", id="another algorithm"),
        pytest.param(pem(Ed25519PrivateKey.generate(), b"secret"), "passphrase", id="a passphrase"),
    ],
)
def test_what_is_no_private_key_is_refused(tmp_path: Path, data: bytes, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        keys.read_private(private(tmp_path / "ci.pem", data))
    assert caught.value.code == "key.format"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        pytest.param(b"", "no Ed25519 public key", id="nothing"),
        pytest.param(private_pem(ALICE), "a private key; give the public one", id="the private half"),
        pytest.param(
            ec.generate_private_key(ec.SECP256R1())
            .public_key()
            .public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
            "no Ed25519 public key",
            id="another algorithm",
        ),
    ],
)
def test_what_is_no_public_key_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        public_of(data)
    assert caught.value.code == "key.format"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file") as caught:
        keys.read_private(tmp_path / "ci.pem")
    assert caught.value.code == "key.file"
    with pytest.raises(InputError, match="is no file name"):
        keys.read_public(Path("a\0b"))
    with refusal("key.file"):
        keys.read_public(tmp_path)


def test_a_new_key_signs_and_tells_nothing_of_itself() -> None:
    one, other = new_signer(), new_signer()
    assert one.keyid != other.keyid
    signature = one.sign(b"message")
    assert is_signature(one.public, signature, b"message")
    assert not is_signature(other.public, signature, b"message")
    assert "Private" not in repr(one)
    assert signer_of(private_pem(one)) == one


def test_trust_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "assay" / "trust.json"
    assert keys.read_trust(path, missing_ok=True) == ()
    with refusal("trust.file"):
        keys.read_trust(path)
    keys.change_trust(path, lambda held: (*held, *TRUSTED))
    assert keys.read_trust(path) == TRUSTED
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    assert [one.name for one in path.parent.iterdir()] == ["trust.json"]


def test_a_change_that_is_refused_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "trust.json"
    keys.change_trust(path, lambda _: TRUSTED)
    before = path.read_bytes()

    def refuse(_: tuple[TrustedKey, ...]) -> tuple[TrustedKey, ...]:
        raise InputError("trust.key", "no")

    with refusal("trust.key"):
        keys.change_trust(path, refuse)
    assert path.read_bytes() == before
    path.write_bytes(b"{")
    with refusal("trust.json"):
        keys.change_trust(path, lambda held: held)
    assert path.read_bytes() == b"{"


def test_a_trust_file_in_no_folder_is_an_error_of_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with refusal("trust.file"):
        keys.change_trust(tmp_path / "file" / "trust.json", lambda _: TRUSTED)


def test_writers_at_the_same_time_lose_no_key(tmp_path: Path) -> None:
    path = tmp_path / "trust.json"

    def add(number: int) -> None:
        key = TrustedKey(signer(number).public, f"key {number}")
        keys.change_trust(path, lambda held: (*held, key))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(10, 30)))
    assert {key.name for key in keys.read_trust(path)} == {f"key {number}" for number in range(10, 30)}


def test_a_file_in_the_checkout_or_writable_by_others_is_warned_of(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / ".git").mkdir(parents=True)
    outside, inside, link = tmp_path / "trust.json", tree / "trust.json", tree / "link.json"
    for path in (outside, inside):
        path.write_bytes(b"{}")
        path.chmod(0o600)
    link.symlink_to(outside)
    assert keys.warnings_of(outside, tree, "trust file") == ()
    assert keys.warnings_of(inside, tmp_path, "trust file") == ()
    for path in (inside, link):
        (warning,) = keys.warnings_of(path, tree, "trust file")
        assert f"trust file `{path}` lies in the checkout" in warning
    outside.chmod(0o620)
    (warning,) = keys.warnings_of(outside, tree, "trust file")
    assert f"`chmod go-w {outside}`" in warning
    assert keys.warnings_of(tmp_path / "missing", tree, "trust file") == ()
