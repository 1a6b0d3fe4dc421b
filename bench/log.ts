/** What a log costs: how long it takes to open, to read one task of it, to keep it through a power cut, and how large it is. */
