"""Addresses: seeds, streams, ranges."""

from tailsafe.keys import Key, Stream, as_key, stream_key


def test_a_bare_seed_means_the_race():
    assert as_key(7) == Key(7, Stream.RACE)


def test_streams_of_a_seed_are_distinct_keys():
    keys = {stream_key(7, stream) for stream in Stream}
    assert len(keys) == len(Stream)
    assert all(key.seed == 7 for key in keys)


def test_a_stream_replaces_that_of_a_key():
    assert stream_key(Key(3, Stream.CERTIFICATE), Stream.STUDY) == Key(3, Stream.STUDY)
