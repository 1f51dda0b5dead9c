"""The browser: ``pbcg serve``. Routes, messages, keys and the page; no rules."""
