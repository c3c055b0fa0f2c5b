"""Scores two pages: python examples/score.py [URL]"""

import sys

from vitrine import SyncClient

PAGES = {
    "a page": "```html\n<!doctype html><html lang=en><title>Tea</title><h1>Oak Lane Tea</h1><p>Forty teas.</p></html>\n```",
    "no page": "I would rather not.",
}

with SyncClient(sys.argv[1] if len(sys.argv) > 1 else None) as vitrine:
    items = [{"id": name, "output": text, "instruction": "a page for a tea shop"} for name, text in PAGES.items()]
    for result in vitrine.score(items):
        print(f"{result.id:8} {result.outcome:16} {result.reward if result.judged else result.error}")
