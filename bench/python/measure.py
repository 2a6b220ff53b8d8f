"""Measures one contender: python3 measure.py NAME FILE. The file has the data file, the visitors and a flag key for each
kind (see bench.ts). Prints the results as JSON: evaluations a second, for d visitors a second, and milliseconds of a
load."""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "clients/python/src"))

TURN_SECONDS = 0.02
TURNS = 60
LOADS = 9
MASK = 0xFFFFFFFF


def sdk(file):
    """The product, as a program uses it."""
    from svc_sdk import Client

    client = Client("sdk_bench", "http://127.0.0.1", offline=True, bootstrap=file)
    return {
        "a": lambda key, user: client.get_details(key, False, user).value,
        "b": lambda key, user: client.get_details(key, False, user).value,
        "c": lambda key, user: client.get_details(key, "", user).value,
        "d": lambda user: sum(each.value is True for each in client.get_all_details(user).values()),
    }


def value(file):
    """The product, asked for values only."""
    from svc_sdk import Client

    client = Client("sdk_bench", "http://127.0.0.1", offline=True, bootstrap=file)
    return {
        **sdk(file),
        "a": lambda key, user: client.get_boolean(key, False, user),
        "b": lambda key, user: client.get_boolean(key, False, user),
        "c": lambda key, user: client.get_string(key, "", user),
    }


def hand(file):
    """The limit: the same work in functions written for each kind of flag, which return only values."""
    flags = {}
    for key, flag in file["flags"].items():
        rules = flag["rules"]
        flags[key] = always if not rules else by_hand(rules[0], flag)

    def ask(key, user):
        return flags[key](user)

    return {"a": ask, "b": ask, "c": ask, "d": lambda user: sum(flag(user) is True for flag in flags.values())}


def always(_user):
    return True


def by_hand(rule, flag):
    if rule["type"] == "AB_TEST":
        beginning = f"{rule['salt']}.split."
        shares = [(share["end"], flag["variations"][share["variation"]]) for share in rule["split"]]

        def choose(user):
            drawn = bucket(beginning + user["targetingKey"])
            for end, given in shares:
                if drawn < end:
                    return given

        return choose
    country, version, email = rule["when"]["all"]
    countries, least = set(country["value"]), numbers(version["value"])
    suffix, beginning = email["value"], f"{rule['salt']}.traffic."

    def matches(user):
        return (
            user["country"] in countries
            and numbers(user["version"]) >= least
            and user["email"].endswith(suffix)
            and bucket(beginning + user["targetingKey"]) < 5_000
        )

    return matches


def numbers(version):
    return tuple(map(int, version.split(".")))


def bucket(text):
    data = text.encode()
    state = 1
    whole = len(data) & ~3
    for at in range(0, whole, 4):
        block = int.from_bytes(data[at : at + 4], "little") * 0xCC9E2D51 & MASK
        state ^= (block << 15 | block >> 17) * 0x1B873593 & MASK
        state = (state << 13 | state >> 19) * 5 + 0xE6546B64 & MASK
    block = int.from_bytes(data[whole:], "little") * 0xCC9E2D51 & MASK
    state ^= (block << 15 | block >> 17) * 0x1B873593 & MASK ^ len(data)
    state = (state ^ state >> 16) * 0x85EBCA6B & MASK
    state = (state ^ state >> 13) * 0xC2B2AE35 & MASK
    return (state ^ state >> 16) * 10_000 >> 32


def rate(ask, users):
    """Of the fastest turn. Turns are so short that some are not interrupted, even on a busy machine."""
    steps = 1
    while turn(ask, users, steps) < TURN_SECONDS:
        steps *= 2
    return steps / min(turn(ask, users, steps) for _ in range(TURNS))


def turn(ask, users, steps):
    given = [users[index % len(users)] for index in range(steps)]
    start = time.perf_counter()
    for user in given:
        ask(user)
    return time.perf_counter() - start


def wrong(asks, keys, users, stranger):
    """What is wrong with the answers; None if nothing is."""
    found = {kind: [asks[kind](keys[kind], user) for user in users] for kind in "abc"}
    share = sum(found["b"]) / len(users)
    if set(found["a"]) != {True} or not 0.44 < share < 0.56 or asks["b"](keys["b"], stranger) is not False:
        return f"a gives {set(found['a'])}, b is true for {share}"
    quarters = [found["c"].count(each) / len(users) for each in ("north", "east", "south", "west")]
    if any(not 0.19 < quarter < 0.31 for quarter in quarters):
        return f"c gives {quarters}"
    mean = sum(asks["d"](user) for user in users) / len(users)
    return None if 260 < mean < 290 else f"d counts {mean} true flags"


def main():
    given = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    contender = {"sdk": sdk, "value": value, "hand": hand}[sys.argv[1]]
    keys, users = given["keys"], given["users"]
    loads = []
    for _ in range(LOADS):
        start = time.perf_counter()
        asks = contender(given["file"])
        loads.append((time.perf_counter() - start) * 1000)
    fault = wrong(asks, keys, users, given["stranger"])
    if fault:
        sys.exit(f"{sys.argv[1]} gives wrong answers: {fault}")
    rates = {kind: rate(lambda user, kind=kind: asks[kind](keys[kind], user), users) for kind in "abc"}
    print(json.dumps({**rates, "d": rate(asks["d"], users), "load": sorted(loads)[LOADS // 2]}))


if __name__ == "__main__":
    main()
