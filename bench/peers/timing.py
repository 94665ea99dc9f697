"""CPU times as Hawser measures them: the least over windows that repeat the same steps."""

import json
import time

WINDOWS = 16
BUDGET = 1.0  # CPU seconds after which a case is timed no further


def least(window, steps):
    """CPU time of a step: `window()` repeats the same steps and returns its CPU time."""
    best, spent = float("inf"), 0.0
    for _ in range(WINDOWS):
        taken = window()
        best = min(best, taken / steps)
        spent += taken
        if spent > BUDGET:
            break
    return best


def cpu():
    return time.process_time()


def say(**row):
    """One line of JSON to the script that compares."""
    print("\n" + json.dumps(row), flush=True)
